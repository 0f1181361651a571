package controlplane

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	certutil "k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// frontProxy is what the aggregation layer identifies itself with to extension API servers.
type frontProxy struct {
	caFile, certFile, keyFile, commonName string
}

// newFrontProxy makes a certificate authority and one client certificate in dir.
func newFrontProxy(dir string) (frontProxy, error) {
	proxy := frontProxy{
		caFile:     filepath.Join(dir, "front-proxy-ca.crt"),
		certFile:   filepath.Join(dir, "front-proxy.crt"),
		keyFile:    filepath.Join(dir, "front-proxy.key"),
		commonName: "front-proxy-client",
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return proxy, err
	}
	ca, err := certutil.NewSelfSignedCACert(certutil.Config{CommonName: "front-proxy-ca"}, caKey)
	if err != nil {
		return proxy, err
	}
	cert, key, err := newClientCert(ca, caKey, proxy.commonName)
	if err != nil {
		return proxy, err
	}
	files := map[string][]byte{proxy.caFile: certPEM(ca.Raw), proxy.certFile: cert, proxy.keyFile: key}
	for file, data := range files {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return proxy, err
		}
	}
	return proxy, nil
}

func newClientCert(ca *x509.Certificate, caKey crypto.Signer, commonName string) (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: commonName},
		NotBefore:    ca.NotBefore,
		NotAfter:     time.Now().AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca, private.Public(), caKey)
	if err != nil {
		return nil, nil, fmt.Errorf("sign a client certificate for %s: %w", commonName, err)
	}
	key, err = keyutil.MarshalPrivateKeyToPEM(private)
	return certPEM(der), key, err
}

func certPEM(der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: certutil.CertificateBlockType, Bytes: der})
}
