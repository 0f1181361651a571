package credential

import (
	"slices"
	"strings"
	"sync"
)

// Names reports whether the name of a field, a variable, a flag or a label says that its value is secret: its last word
// does.
func Names(name string) bool {
	name = plainName(name)
	for _, word := range secretWords() {
		if strings.HasSuffix(name, word) {
			return true
		}
	}
	within := func(word string) bool { return strings.Contains(name, word) }
	about := func(end string) bool { return strings.HasSuffix(name, end) }
	return (within("tokensecret") || within("password") || within("passphrase")) &&
		!slices.ContainsFunc(besidePasswords(), about)
}

// plainName is a name in small letters, without what separates its words, and what says how its value is written.
func plainName(name string) string {
	name = strings.ToLower(betweenWords().Replace(name))
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(name, "base64"), "b64"), "value")
}

var betweenWords = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("-", "", "_", "", ".", "", " ", "")
})

var secretWords = sync.OnceValue(func() []string {
	return strings.Fields(`
password passwd passphrase passcode pwd token tokens secret apikey privatekey accesskey accesskeyid secretkey
clientkey encryptionkey signingkey sharedkey accountkey masterkey licensekey keydata credential credentials clientsecret
connectionstring dsn userdata cloudinit kubeconfig authorization htpasswd cookie sessionid sharedaccesssignature
sastoken signature webhookurl dockerconfigjson dockercfg
routingkey integrationkey servicekey presharedkey instrumentationkey sharedaccesskey secretkeybase secretaccesskey
unsealkey recoverykey hmackey pagerdutykey recoverycode recoverycodes psk
bindpw rootpw storepass keypass requirepass masterauth`)
})

// besidePasswords end the names of fields that are about a password: where it is, or which rules it has.
var besidePasswords = sync.OnceValue(func() []string {
	return strings.Fields(
		"policy ref file path name key keyref secretref stdin command rotation enabled required field")
})

// assigns reports whether a name in a text says that its value is secret. Some words do so only right before a value.
func assigns(name string) bool {
	switch name = plainName(name); {
	case len(name) < len("pin"):
		return false
	case slices.Contains(shortWords(), name), strings.HasPrefix(name, "xamz"), strings.HasPrefix(name, "xgoog"):
		return true
	case strings.HasSuffix(name, "pass"):
		return !strings.HasSuffix(name, "bypass") && !strings.HasSuffix(name, "compass")
	case strings.HasSuffix(name, "appkey"):
		return true
	}
	return Names(name)
}

var shortWords = sync.OnceValue(func() []string {
	return strings.Fields("pass pin otp psk sig sas upn auth authtoken community awsaccesskeyid xapikey ddapikey")
})

// weak reports whether a name is also what people call an object, or a part of a message: behind a colon, a name or a
// plain word is not its value.
func weak(name string) bool {
	name = plainName(name)
	for _, word := range strings.Fields(kindsOfObjects) {
		if rest, ends := strings.CutSuffix(name, word); ends {
			return !slices.ContainsFunc(strings.Fields(holdersOfSecrets), func(holder string) bool {
				return strings.HasSuffix(rest, holder)
			})
		}
	}
	return false
}

// kindsOfObjects end names that are also those of objects, or of parts of a message.
const kindsOfObjects = "secret secrets credential credentials kubeconfig signature cookie auth community"

// holdersOfSecrets begin names like clientSecret, which are those of values, unlike existingSecret.
const holdersOfSecrets = `client consumer session cookie jwt webhook app api shared access token key master oauth oauth2
hmac signing encryption`

// errorCode reports whether a name is the code of an error, which comes before a colon as well.
func errorCode(name string) bool {
	if name == "" || name[0] < 'A' || name[0] > 'Z' || strings.ContainsAny(name, "-_.") {
		return false
	}
	for _, word := range strings.Fields("Invalid Expired Missing Failed Not No Bad Unknown Denied Error Un Wrong") {
		if at := strings.Index(name, word); at >= 0 && at+len(word) < len(name) {
			return true
		}
	}
	return false
}
