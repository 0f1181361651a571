package snapshot

import "strings"

// keeping says what a recording holds of a field. It is decided by keepingOf alone.
type keeping int

const (
	keepText       keeping = iota // what is kept of each part; of a text, all that doesn't look like a credential
	keepNothing                   // not even that it is there
	keepMark                      // that it is there: Removed stands in its place
	keepMentions                  // the names of drivers, groups and finalizers that it mentions (clean_names.go)
	keepDriver                    // the name of a driver, which other fields are searched for
	keepFinalizer                 // the name of a finalizer, which other fields are searched for
	keepAnnotation                // what cleaner.annotation decides
	keepExpression                // a CEL expression: a program that compares tokens isn't one
)

// keepingOf returns what a recording holds of a field of an object, from the field's name and the name of the field
// that it stands in, wherever in the object that is. Only an object's own metadata is decided by
// cleaner.metadata instead, which names the fields that it keeps. Whatever isn't named here is kept without what
// looks like a credential, and is to become what isn't kept.
func keepingOf(parent, field string) keeping {
	if parent == "annotations" {
		return keepAnnotation
	}
	switch field {
	case "data", "binaryData", "stringData", "volumeAttributes", "options", "parameters": // may be secret
		return keepNothing
	case "openAPIV3Schema", "caBundle", "images", "volumesInUse", "volumesAttached", "managedFields": // large, of no use
		return keepNothing
	case "command", "args":
		return keepMentions
	case "finalizers":
		return keepFinalizer
	case "expression", "messageExpression":
		return keepExpression
	}
	switch {
	case field == "value" && (parent == "env" || parent == "httpHeaders"):
		return keepMentions
	case namesDriver(field):
		return keepDriver
	case secretName(field):
		return keepMark
	}
	return keepText
}

// LeavesOut tells whether a recording never holds a field, wherever in an object it stands: that it isn't
// there says nothing.
func LeavesOut(field string) bool { return keepingOf("", field) == keepNothing }

// namesDriver tells whether a field has the name of something that acts for Kubernetes (a storage driver, what runs a
// Job in place of kube-controller-manager), and that workloads are searched for.
func namesDriver(field string) bool {
	switch field {
	case "driver", "driverName", "attacher", "provisioner", "managedBy", "controllerName",
		"pv.kubernetes.io/provisioned-by", "pv.kubernetes.io/migrated-to",
		"volume.kubernetes.io/storage-provisioner", "volume.beta.kubernetes.io/storage-provisioner":
		return true
	}
	return false
}

// secretName tells whether a field's name says that its value is secret.
func secretName(field string) bool {
	field = strings.ToLower(strings.Map(func(letter rune) rune {
		if strings.ContainsRune("-_.", letter) {
			return -1
		}
		return letter
	}, field))
	for _, word := range []string{
		"password", "passwd", "passphrase", "passcode", "token", "secret", "apikey", "privatekey", "accesskey", "secretkey", "clientkey",
		"encryptionkey", "signingkey", "keydata", "credential", "credentials", "connectionstring", "dsn", "userdata", "cloudinit",
		"kubeconfig", "authorization",
	} {
		if strings.HasSuffix(field, word) {
			return true
		}
	}
	return strings.Contains(field, "tokensecret")
}
