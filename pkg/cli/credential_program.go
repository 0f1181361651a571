package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/pkg/apis/clientauthentication"
	"k8s.io/client-go/pkg/apis/clientauthentication/install"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finalizers"
)

// withoutPrompts gets the credentials of a cluster beforehand, if a program of the kubeconfig has them. client-go runs
// it without a limit, shares the terminal with it, and leaves it behind: a person can't answer several at once, and
// would not know which cluster asks. Here it gets no input, what it says is in the error, and it ends with ctx.
func withoutPrompts(ctx context.Context, config *rest.Config) error {
	provider := config.ExecProvider
	if provider == nil || config.BearerToken != "" || config.BearerTokenFile != "" || config.Username != "" ||
		len(config.CertData) > 0 || config.CertFile != "" {
		return nil // client-go runs nothing then
	}
	if provider.InteractiveMode == api.AlwaysExecInteractiveMode {
		return fmt.Errorf("%s has to ask for a login, and several clusters are asked at once. Log in to this one first, "+
			"or ask it alone with --context", provider.Command)
	}
	ctx, cancel := context.WithTimeout(ctx, patienceWith(ctx, config.Timeout))
	defer cancel()
	status, err := credentialsFrom(ctx, config)
	if err != nil {
		return fmt.Errorf("%s, which has the credentials, failed: %w", provider.Command, err)
	}
	config.ExecProvider, config.BearerToken = nil, status.Token
	if status.ClientCertificateData != "" {
		config.CertData, config.KeyData = []byte(status.ClientCertificateData), []byte(status.ClientKeyData)
	}
	return nil
}

// patienceWith is how long a program may take: as a request, and less than what is left, so that there is time to say
// what failed.
func patienceWith(ctx context.Context, request time.Duration) time.Duration {
	deadline, bounded := ctx.Deadline()
	left := time.Until(deadline) * 9 / 10
	switch {
	case !bounded && request <= 0:
		return finalizers.UsualLimit
	case !bounded || request > 0 && request < left:
		return request
	}
	return left
}

// credentialsFrom runs the program and reads what it prints, as client-go does (k8s v1.37
// client-go/plugin/pkg/client/auth/exec/exec.go:refreshCredsLocked).
func credentialsFrom(ctx context.Context, config *rest.Config) (*clientauthentication.ExecCredentialStatus, error) {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	codecs := serializer.NewCodecFactory(scheme)
	version, err := schema.ParseGroupVersion(config.ExecProvider.APIVersion)
	if err != nil {
		return nil, err
	}
	wanted := &clientauthentication.ExecCredential{}
	if config.ExecProvider.ProvideClusterInfo {
		if wanted.Spec.Cluster, err = rest.ConfigToExecCluster(config); err != nil {
			return nil, err
		}
	}
	input, err := runtime.Encode(codecs.LegacyCodec(version), wanted)
	if err != nil {
		return nil, err
	}
	printed, err := runForCredentials(ctx, config.ExecProvider, input)
	if err != nil {
		return nil, err
	}
	got := &clientauthentication.ExecCredential{}
	_, kind, err := codecs.UniversalDecoder(version).Decode(printed, nil, got)
	switch {
	case err != nil:
		return nil, errors.New("it didn't print an ExecCredential") // what it printed may be a secret
	case kind.GroupVersion() != version:
		return nil, fmt.Errorf("it printed %s, and not %s", kind.GroupVersion(), version)
	case got.Status == nil || got.Status.Token == "" && got.Status.ClientCertificateData == "",
		(got.Status.ClientCertificateData == "") != (got.Status.ClientKeyData == ""):
		return nil, errors.New("it printed no token, and no certificate with its key")
	}
	return got.Status, nil
}

func runForCredentials(ctx context.Context, provider *api.ExecConfig, input []byte) ([]byte, error) {
	var printed, said bytes.Buffer
	program := exec.CommandContext(ctx, provider.Command, provider.Args...) //nolint:gosec // the kubeconfig names it
	program.Env = os.Environ()
	for _, variable := range provider.Env {
		program.Env = append(program.Env, variable.Name+"="+variable.Value)
	}
	program.Env = append(program.Env, "KUBERNETES_EXEC_INFO="+string(input))
	program.Stdout, program.Stderr = &printed, &said
	program.WaitDelay = time.Second // for programs that it has started
	err := program.Run()
	var absent *exec.Error
	switch {
	case err == nil:
		return printed.Bytes(), nil
	case ctx.Err() != nil:
		return nil, errors.New("it did not end in time, and may wait for a login")
	case errors.As(err, &absent):
		return nil, errors.New(cmp.Or(strings.TrimSpace(provider.InstallHint), absent.Error()))
	}
	return nil, errors.Join(err, lastSaid(said.String()))
}

// lastSaid returns the end of what a program has said, as an error.
func lastSaid(said string) error {
	const most = 300
	text := strings.Join(strings.Fields(said), " ")
	if text == "" {
		return nil
	}
	if letters := []rune(text); len(letters) > most {
		text = "…" + string(letters[len(letters)-most:])
	}
	return errors.New(text)
}
