package zoo_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kubectl-finalizers/kubectl-finalizers/hack/controlplane"
)

// authority signs certificates of servers on loopback.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	own := authority{certificate: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "zoo"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}, key: key}
	own.certificate, err = x509.ParseCertificate(own.sign(t, own.certificate, key))
	if err != nil {
		t.Fatal(err)
	}
	return own
}

func (a authority) sign(t *testing.T, template *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// server returns the certificate of a server.
func (a authority) server(t *testing.T, serial int64) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der := a.sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(serial), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, key)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// changeCertificates has an API server show another certificate in the middle of each command: one by the same
// authority, as when it is renewed, makes no difference. After one by another authority, nothing more is read, and the
// answer says so.
func (k *keeper) changeCertificates(t *testing.T) {
	own := newAuthority(t)
	file := filepath.Join(t.TempDir(), "ca.crt")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.certificate.Raw})
	if err := os.WriteFile(file, certificate, 0o600); err != nil {
		t.Fatal(err)
	}
	first, renewed, foreign := own.server(t, 2), own.server(t, 3), newAuthority(t).server(t, 4)
	each(inquiries(), func(question *inquiry) {
		k.askWithAll(t, question)
		_, all := k.askWithCertificates(t, question, file, first, first, 1)
		for _, number := range []int64{1, all / 2, all - 1} {
			got, _ := k.askWithCertificates(t, question, file, first, renewed, number)
			for _, problem := range judgeReply(question, got, false) {
				t.Errorf("%v, renewed after %d of %d requests: %s\n%s", question.args, number, all, problem, got.errOut)
			}
			if claimed, err := question.claims(got.out); err != nil || len(claimed.made) < len(question.full.made) {
				t.Errorf("%v, renewed after %d of %d requests, claims less: %v\n%s", question.args, number, all, err, got.errOut)
			}
			got, asked := k.askWithCertificates(t, question, file, first, foreign, number)
			for _, problem := range judgeReply(question, got, asked > number && !question.file) {
				t.Errorf("%v, another certificate after %d of %d requests: %s\n%s", question.args, number, all, problem,
					got.errOut)
			}
		}
	})
}

// askWithCertificates asks a server that shows another certificate after some requests, each on a connection of its
// own, and returns how many connections were made.
func (k *keeper) askWithCertificates(
	t *testing.T, question *inquiry, authority string, first, then *tls.Certificate, after int64,
) (reply, int64) {
	var shown atomic.Int64
	met := &meeting{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if needed, about := controlplane.PermissionFor(r.Method, r.URL.RequestURI()); about {
			met.note(r, needed, false)
		}
		k.answers.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of who doesn't trust it
	server.Config.SetKeepAlivesEnabled(false)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12, GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config,
		error,
	) {
		certificate := first
		if shown.Add(1) > after {
			certificate = then
		}
		return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*certificate}}, nil
	}}
	server.StartTLS()
	defer server.Close()
	got := k.askAt(t, question, []string{"--server", server.URL, "--certificate-authority", authority})
	for _, problem := range met.problems {
		t.Error(fmt.Sprint(question.args), problem)
	}
	return got, shown.Load()
}
