package operator

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// accountFolder is where a pod has its ServiceAccount's token, the server's certificate, and its namespace.
const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount"

// toldFolder is where a container finds what steps of a scenario tell it.
const toldFolder = "/told"

// pods makes containers of pods.
type pods struct {
	client kubernetes.Interface
	config *rest.Config
	dir    string // of all pods of one control plane
	built  string // BIN/operator
	told   string // a folder for each operator
}

// container returns what runs in the place of a pod's container.
func (p *pods) container(ctx context.Context, pod *corev1.Pod, operator string, run Container) (container, error) {
	at := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == run.Container })
	if at < 0 {
		return container{}, fmt.Errorf("pod %s/%s has no container %s", pod.Namespace, pod.Name, run.Container)
	}
	spec := pod.Spec.Containers[at]
	binary := orElse(run.Binary, operator)
	command := []string{orElse(run.Command, "/"+binary)}
	if len(spec.Command) > 0 {
		command = spec.Command
	}
	environment := p.environment(pod, spec, run.Environment)
	home := filepath.Join(p.dir, string(pod.UID))
	c := container{
		Root: filepath.Join(home, spec.Name), Hostname: pod.Name, Env: listed(environment),
		Argv: expanded(slices.Concat(command, changed(spec.Args, run.Arguments)), environment),
		Mounts: []mount{
			{"/dev", "/dev"}, {"/proc", "/proc"},
			{filepath.Join(p.built, operator, binary), command[0]},
			{filepath.Join(p.told, operator), toldFolder},
		},
	}
	if err := c.prepare(); err != nil {
		return c, err
	}
	volumes, err := p.volumes(ctx, pod, spec, home)
	c.Mounts = append(c.Mounts, volumes...)
	return c, err
}

// prepare makes the root, with what every image has.
func (c container) prepare() error {
	for _, folder := range []string{"tmp", "etc"} {
		if err := os.MkdirAll(filepath.Join(c.Root, folder), 0o755); err != nil {
			return err
		}
	}
	hosts := "127.0.0.1 localhost " + c.Hostname + "\n"
	return os.WriteFile(filepath.Join(c.Root, "etc", "hosts"), []byte(hosts), 0o600)
}

func orElse(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

// changed are a container's arguments as the operator's file changes them.
func changed(args []string, change Arguments) []string {
	if change.Replace != nil {
		args = change.Replace
	}
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool {
		flag, _, _ := strings.Cut(arg, "=")
		return slices.Contains(change.Drop, flag)
	})
	return append(args, change.Add...)
}

// environment is a container's, as the kubelet makes it.
func (p *pods) environment(pod *corev1.Pod, spec corev1.Container, further map[string]string) map[string]string {
	values := map[string]string{"PATH": "/usr/bin:/bin", "HOME": "/tmp", "HOSTNAME": pod.Name}
	if server, err := url.Parse(p.config.Host); err == nil {
		values["KUBERNETES_SERVICE_HOST"], values["KUBERNETES_SERVICE_PORT"] = server.Hostname(), server.Port()
	}
	fields := map[string]string{
		"metadata.name": pod.Name, "metadata.namespace": pod.Namespace, "metadata.uid": string(pod.UID),
		"spec.nodeName": pod.Spec.NodeName, "spec.serviceAccountName": pod.Spec.ServiceAccountName,
		"status.podIP": pod.Status.PodIP, "status.hostIP": pod.Status.HostIP,
	}
	for _, envVar := range spec.Env {
		switch {
		case envVar.ValueFrom == nil:
			values[envVar.Name] = envVar.Value
		case envVar.ValueFrom.FieldRef != nil:
			values[envVar.Name] = fields[envVar.ValueFrom.FieldRef.FieldPath]
		}
	}
	maps.Copy(values, further)
	return values
}

func listed(values map[string]string) (env []string) {
	for name, value := range values {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

// expanded replaces $(NAME) in arguments.
func expanded(args []string, environment map[string]string) (out []string) {
	var pairs []string
	for name, value := range environment {
		pairs = append(pairs, "$("+name+")", value)
	}
	replacer := strings.NewReplacer(pairs...)
	for _, arg := range args {
		out = append(out, replacer.Replace(arg))
	}
	return out
}

// volumes are what is mounted into a container: its account's folder, empty folders that the pod's containers share,
// and the Secrets and ConfigMaps that exist. For other volumes there is an empty folder.
func (p *pods) volumes(ctx context.Context, pod *corev1.Pod, spec corev1.Container, home string) ([]mount, error) {
	var mounts []mount
	for _, volumeMount := range spec.VolumeMounts {
		at := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == volumeMount.Name })
		if at < 0 {
			continue
		}
		folder := filepath.Join(home, "volumes", volumeMount.Name)
		files, err := p.files(ctx, pod, pod.Spec.Volumes[at], volumeMount.MountPath)
		if err != nil {
			return nil, err
		}
		if err := write(folder, files); err != nil {
			return nil, err
		}
		mounts = append(mounts, mount{filepath.Join(folder, volumeMount.SubPath), volumeMount.MountPath})
	}
	return mounts, nil
}

// files are what a volume holds.
func (p *pods) files(ctx context.Context, pod *corev1.Pod, volume corev1.Volume, at string) (map[string][]byte, error) {
	files := map[string][]byte{}
	switch {
	case at == accountFolder:
		token, err := p.token(ctx, pod)
		if err != nil {
			return nil, err
		}
		ca := p.config.CAData
		if ca == nil {
			ca, err = os.ReadFile(p.config.CAFile)
		}
		return map[string][]byte{"token": []byte(token), "ca.crt": ca, "namespace": []byte(pod.Namespace)}, err
	case volume.Secret != nil:
		secret, err := p.client.CoreV1().Secrets(pod.Namespace).Get(ctx, volume.Secret.SecretName, metav1.GetOptions{})
		if err != nil {
			return files, nil // kwok runs the pod without it
		}
		return secret.Data, nil
	case volume.ConfigMap != nil:
		config, err := p.client.CoreV1().ConfigMaps(pod.Namespace).Get(ctx, volume.ConfigMap.Name, metav1.GetOptions{})
		if err != nil {
			return files, nil
		}
		for name, text := range config.Data {
			files[name] = []byte(text)
		}
	}
	return files, nil
}

// token returns one of the pod's ServiceAccount. It isn't bound to the pod, which kwok deletes before its program ends.
func (p *pods) token(ctx context.Context, pod *corev1.Pod) (string, error) {
	request := &authenticationv1.TokenRequest{}
	request.Spec.ExpirationSeconds = new(int64(86400))
	account, accounts := pod.Spec.ServiceAccountName, p.client.CoreV1().ServiceAccounts(pod.Namespace)
	answer, err := accounts.CreateToken(ctx, account, request, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("a token of %s/%s: %w", pod.Namespace, account, err)
	}
	return answer.Status.Token, nil
}

func write(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
