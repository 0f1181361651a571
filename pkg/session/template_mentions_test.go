package session_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/session"
)

func TestNames(t *testing.T) {
	const name = "portal.initech.io"
	told := func(container corev1.Container) corev1.PodTemplateSpec {
		return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{container}}}
	}
	args := func(args ...string) corev1.PodTemplateSpec { return told(corev1.Container{Args: args}) }
	variable := func(name, value string) corev1.PodTemplateSpec {
		return told(corev1.Container{Env: []corev1.EnvVar{{Name: name, Value: value}}})
	}
	meta := metav1.ObjectMeta{Finalizers: []string{name + "/hold"}, Labels: map[string]string{name + "/part": "x"},
		Annotations: map[string]string{"last": name}}
	volume := func(source corev1.VolumeSource) corev1.PodTemplateSpec {
		return corev1.PodTemplateSpec{Spec: corev1.PodSpec{Volumes: []corev1.Volume{{VolumeSource: source}}}}
	}
	cases := map[string]struct {
		template corev1.PodTemplateSpec
		want     bool
	}{
		"argument":                 {args("--group=" + name), true},
		"argument beside its flag": {args("--group", name), true},
		"argument by itself":       {args(name), true},
		"command":                  {told(corev1.Container{Command: []string{"sh", "-c", "serve --group=" + name}}), true},
		"init container": {
			corev1.PodTemplateSpec{Spec: corev1.PodSpec{InitContainers: []corev1.Container{{Args: []string{name}}}}}, true},
		"one of several":         {variable("GROUPS", "a.b,"+name+",c.d"), true},
		"version of a group":     {variable("WATCH", name+"/v1"), true},
		"host, and then a group": {args("https://" + name + "/x?g=" + name), true},
		"driver's directory": {
			volume(corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/var/lib/kubelet/plugins/" + name}}), true},
		"driver's socket":          {variable("ADDRESS", "unix:///plugins/"+name+"/csi.sock"), true},
		"driver's socket's path":   {args("--kubelet-registration-path=unix:///plugins/" + name + "/csi.sock"), true},
		"URL":                      {variable("WHERE", "https://"+name+"/api"), false},
		"URL with a user":          {args("postgres://me@" + name + "/db"), false},
		"port":                     {args("--connect=" + name + ":8443"), false},
		"part of a longer name":    {args("--group=x." + name), false},
		"template's metadata":      {corev1.PodTemplateSpec{ObjectMeta: meta}, false},
		"image":                    {told(corev1.Container{Image: name + "/web:1"}), false},
		"volume of somebody's":     {volume(corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{Driver: name}}), false},
		"nothing":                  {corev1.PodTemplateSpec{}, false},
		"host and nothing besides": {args("//"+name, "user@"+name), false},
		"value beside the flag":    {args("--set", name+"=x"), true},
	}
	for what, one := range cases {
		if got := session.Names(one.template, name); got != one.want {
			t.Errorf("%s: %t, want %t", what, got, one.want)
		}
	}
}
