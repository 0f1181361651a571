package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sirupsen/logrus"
)

// told is a folder that steps of a scenario write to, and that all of Velero's pods have.
const told = "/told"

// folder is an object store: a folder for each bucket.
type folder struct{}

func newFolder(logrus.FieldLogger) (any, error) { return folder{}, nil }

func (folder) Init(map[string]string) error { return nil }

// file is where an object lies. The text of the file "unreachable" is what the store answers instead, while there is
// any.
func (folder) file(bucket, key string) (string, error) {
	if text, err := os.ReadFile(filepath.Join(told, "unreachable")); err == nil && len(text) > 0 {
		return "", errors.New(strings.TrimSpace(string(text)))
	}
	return filepath.Join(told, "store", bucket, key), nil
}

func (f folder) PutObject(bucket, key string, body io.Reader) error {
	name, err := f.file(bucket, key)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o600)
}

func (f folder) ObjectExists(bucket, key string) (bool, error) {
	name, err := f.file(bucket, key)
	if err != nil {
		return false, err
	}
	_, err = os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (f folder) GetObject(bucket, key string) (io.ReadCloser, error) {
	name, err := f.file(bucket, key)
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

func (f folder) ListObjects(bucket, prefix string) ([]string, error) {
	root, err := f.file(bucket, "")
	if err != nil {
		return nil, err
	}
	var keys []string
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && entry.IsDir() {
			return nil
		}
		key := strings.TrimPrefix(name, root+"/")
		if err == nil && strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
		return err
	})
	return keys, err
}

func (f folder) ListCommonPrefixes(bucket, prefix, delimiter string) ([]string, error) {
	keys, err := f.ListObjects(bucket, prefix)
	var prefixes []string
	for _, key := range keys {
		if first, _, deeper := strings.Cut(strings.TrimPrefix(key, prefix), delimiter); deeper {
			prefixes = append(prefixes, prefix+first+delimiter)
		}
	}
	slices.Sort(prefixes)
	return slices.Compact(prefixes), err
}

func (f folder) DeleteObject(bucket, key string) error {
	name, err := f.file(bucket, key)
	if err != nil {
		return err
	}
	return os.Remove(name)
}

func (f folder) CreateSignedURL(bucket, key string, _ time.Duration) (string, error) {
	name, err := f.file(bucket, key)
	return fmt.Sprintf("file://%s", name), err
}
