package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
)

type noClusterError struct{ places []string }

// Error implements error.
func (e noClusterError) Error() string {
	return fmt.Sprintf("no cluster to ask: there is no kubeconfig with a cluster at %s. "+
		"Set KUBECONFIG, or name a file with --kubeconfig", strings.Join(e.places, ", "))
}

// explainConfig says what is wrong with the kubeconfig: first of all which file of it doesn't exist.
func explainConfig(err error) error {
	if absent := (*fs.PathError)(nil); errors.As(err, &absent) && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no usable cluster: the file %s does not exist", absent.Path)
	}
	return fmt.Errorf("no usable cluster: %w. To list the contexts, run: kubectl config get-contexts", err)
}

// explainUnreachable says in which way the server didn't answer the first question, for so long: a network gives up
// earlier than --request-timeout may say.
func explainUnreachable(err error, config *rest.Config, waited time.Duration, flags []string) error {
	var network *url.Error
	var certificate *tls.CertificateVerificationError
	server := "the server " + config.Host
	got, wrong := cluster.GotWrongAnswer(err)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s does not accept your credentials; perhaps they have expired. "+
			"Log in again, or use another --context or --user", server)
	case apierrors.IsForbidden(err):
		return fmt.Errorf("%s does not let you list the API groups it serves, which every authenticated user "+
			"normally can. To see which user you are, run: %s", server,
			append(finding.Command{"kubectl", "auth", "whoami"}, flags...))
	case wrong:
		return fmt.Errorf("%s does not answer as an API server does: asked which API groups it serves, "+
			"it answered with %s. "+
			"Check the server in the kubeconfig, and any proxy in front of it", server, got)
	case errors.As(err, &network) && network.Timeout(), errors.Is(err, context.DeadlineExceeded):
		if config.Timeout > 0 && waited >= config.Timeout-time.Second { // so exact is no clock of a busy machine
			return fmt.Errorf("%s did not answer within %s. Check the network and --context, "+
				"or wait longer with --request-timeout", server, config.Timeout.Round(time.Millisecond))
		}
		return fmt.Errorf("%s did not answer within %s. Check the network and --context", server,
			waited.Round(time.Second))
	case errors.As(err, &certificate):
		return fmt.Errorf("%s can't be trusted: %w. Check --certificate-authority and --tls-server-name", server,
			certificate)
	case errors.As(err, &network):
		return fmt.Errorf("%s can't be reached: %w. Check the network and --context", server, errors.Unwrap(network))
	}
	return fmt.Errorf("%s can't be asked: %w", server, err)
}
