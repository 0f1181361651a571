package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// PutRaw writes value to a key of etcd behind the API server's back, through etcd's JSON gateway.
// Keys look like /registry/configmaps/NAMESPACE/NAME.
func (c *ControlPlane) PutRaw(ctx context.Context, key string, value []byte) error {
	// JSON encodes a []byte as base64, which is what the gateway asks for.
	body, err := json.Marshal(map[string][]byte{"key": []byte(key), "value": value})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Etcd+"/v3/kv/put", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("write %s to etcd: %w", key, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(response.Body)
		return fmt.Errorf("write %s to etcd: %s: %s", key, response.Status, bytes.TrimSpace(said))
	}
	return nil
}
