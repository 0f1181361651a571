package controlplane

import (
	"io"
	"net/http"
)

// patient sends a request again that a starved API server gave up on: a write ends after 34 seconds, whatever time its
// client has (k8s v1.37 apiserver/pkg/endpoints/handlers/rest.go:requestTimeoutUpperBound). It may have been carried
// out, so that what isn't the same the second time is left to who asked.
type patient struct{ http.RoundTripper }

func (p patient) RoundTrip(request *http.Request) (*http.Response, error) {
	for {
		response, err := p.RoundTripper.RoundTrip(request)
		if err != nil || response.StatusCode != http.StatusGatewayTimeout || request.Method == http.MethodPost {
			return response, err
		}
		again := request.Clone(request.Context())
		if request.GetBody != nil {
			if again.Body, err = request.GetBody(); err != nil {
				return response, nil
			}
		} else if request.Body != nil {
			return response, nil
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		request = again
	}
}
