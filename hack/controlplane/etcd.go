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
	_, err := c.askEtcd(ctx, "/v3/kv/put", key, value)
	return err
}

// HasRaw reports whether etcd has that key. A write to a key that the API server never reads proves nothing.
func (c *ControlPlane) HasRaw(ctx context.Context, key string) (bool, error) {
	answer, err := c.askEtcd(ctx, "/v3/kv/range", key, nil)
	if err != nil {
		return false, err
	}
	var found struct {
		Count string `json:"count"` // int64, which JSON for protobuf spells as a string
	}
	err = json.Unmarshal(answer, &found)
	return found.Count != "" && found.Count != "0", err
}

// GetRaw reads what etcd keeps under a key, which must exist.
func (c *ControlPlane) GetRaw(ctx context.Context, key string) ([]byte, error) {
	answer, err := c.askEtcd(ctx, "/v3/kv/range", key, nil)
	if err != nil {
		return nil, err
	}
	var found struct {
		Kvs []struct {
			Value []byte `json:"value"`
		} `json:"kvs"`
	}
	if err := json.Unmarshal(answer, &found); err != nil {
		return nil, err
	}
	if len(found.Kvs) == 0 {
		return nil, fmt.Errorf("etcd has no key %s", key)
	}
	return found.Kvs[0].Value, nil
}

// SwapRaw writes value to a key of etcd if it still keeps what it was read as, and reports whether it did.
func (c *ControlPlane) SwapRaw(ctx context.Context, key string, read, value []byte) (bool, error) {
	name := []byte(key)
	answer, err := c.postEtcd(ctx, "/v3/kv/txn", key, map[string]any{
		"compare": []any{map[string]any{"key": name, "target": "VALUE", "value": read}},
		"success": []any{map[string]any{"request_put": map[string][]byte{"key": name, "value": value}}},
	})
	if err != nil {
		return false, err
	}
	var done struct {
		Succeeded bool `json:"succeeded"`
	}
	err = json.Unmarshal(answer, &done)
	return done.Succeeded, err
}

// DeleteRaw deletes a key of etcd behind the API server's back.
func (c *ControlPlane) DeleteRaw(ctx context.Context, key string) error {
	_, err := c.askEtcd(ctx, "/v3/kv/deleterange", key, nil)
	return err
}

func (c *ControlPlane) askEtcd(ctx context.Context, method, key string, value []byte) ([]byte, error) {
	// JSON encodes a []byte as base64, which is what the gateway asks for.
	fields := map[string][]byte{"key": []byte(key)}
	if value != nil {
		fields["value"] = value
	}
	return c.postEtcd(ctx, method, key, fields)
}

func (c *ControlPlane) postEtcd(ctx context.Context, method, key string, fields any) ([]byte, error) {
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Etcd+method, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("ask etcd for %s of %s: %w", method, key, err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask etcd for %s of %s: %s: %s", method, key, response.Status, bytes.TrimSpace(answer))
	}
	return answer, nil
}
