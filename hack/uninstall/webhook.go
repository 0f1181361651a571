package uninstall

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
)

// Webhook answers the API server as long as a controller runs: it allows everything, and converts between versions that
// differ by their name alone.
func Webhook(runs func() bool) (server *httptest.Server, ca string) {
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || !runs() {
			http.Error(w, "there is no pod", http.StatusServiceUnavailable)
			return
		}
		answer := allow
		if strings.HasSuffix(request.URL.Path, "/convert") {
			answer = convert
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer(body))
	}))
	block := &pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}
	return server, base64.StdEncoding.EncodeToString(pem.EncodeToMemory(block))
}

func allow(body []byte) []byte {
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(body, &review); err != nil || review.Request == nil {
		return nil
	}
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true}
	review.Request = nil
	return encode(review)
}

// conversion is a ConversionReview, as far as it is needed here.
type conversion struct {
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"`
	Request    *conversionRequest  `json:"request,omitempty"`
	Response   *conversionResponse `json:"response,omitempty"`
}

type conversionRequest struct {
	UID               string           `json:"uid"`
	DesiredAPIVersion string           `json:"desiredAPIVersion"`
	Objects           []map[string]any `json:"objects"`
}

type conversionResponse struct {
	UID              string           `json:"uid"`
	ConvertedObjects []map[string]any `json:"convertedObjects"`
	Result           map[string]any   `json:"result"`
}

func convert(body []byte) []byte {
	var review conversion
	if err := json.Unmarshal(body, &review); err != nil || review.Request == nil {
		return nil
	}
	for _, object := range review.Request.Objects {
		object["apiVersion"] = review.Request.DesiredAPIVersion
	}
	review.Response = &conversionResponse{
		UID: review.Request.UID, ConvertedObjects: review.Request.Objects, Result: map[string]any{"status": "Success"},
	}
	review.Request = nil
	return encode(review)
}

func encode(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return data
}
