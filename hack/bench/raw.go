package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// rawWidth is how many lists are fetched side by side: as many as a scan does.
const rawWidth = 16

// rawCommand is the measure of all: it fetches the metadata of everything, as a scan does, and throws the
// bytes away. Arguments: KUBECONFIG NAMESPACE PAGE, where an empty namespace is all, and page 0 is whole
// lists.
func rawCommand(ctx context.Context, args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: bench raw KUBECONFIG NAMESPACE PAGE")
	}
	page, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", args[0])
	if err != nil {
		return err
	}
	config.QPS, config.Burst = -1, -1
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return err
	}
	found, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	if err != nil {
		return err
	}
	_, lists, err := found.ServerGroupsAndResources()
	if err != nil && len(lists) == 0 {
		return err
	}
	raw := &rawFetch{client: client, host: config.Host, page: page}
	var fetching sync.WaitGroup
	places := make(chan struct{}, rawWidth)
	for _, path := range rawPaths(lists, args[1]) {
		places <- struct{}{}
		fetching.Go(func() {
			defer func() { <-places }()
			raw.list(ctx, path)
		})
	}
	fetching.Wait()
	fmt.Fprintf(os.Stdout, "%d requests, %d bytes\n", raw.requests.Load(), raw.bytes.Load())
	return nil
}

type rawFetch struct {
	client          *http.Client
	host            string
	page            int
	requests, bytes atomic.Int64
}

// list fetches the pages of a list. All it looks for is the token of the next page, in the first bytes.
func (r *rawFetch) list(ctx context.Context, path string) {
	token := ""
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet,
			r.host+path+fmt.Sprintf("?limit=%d&continue=%s", r.page, token), nil)
		if err != nil {
			return
		}
		request.Header.Set("Accept",
			"application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
		response, err := r.client.Do(request)
		if err != nil {
			return
		}
		start := make([]byte, 1024)
		read, _ := io.ReadFull(response.Body, start)
		rest, _ := io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		r.requests.Add(1)
		r.bytes.Add(int64(read) + rest)
		if token = nextToken(start[:read]); token == "" {
			return
		}
	}
}

// nextToken finds the token of the next page: base64 of JSON that begins with {"v":.
func nextToken(start []byte) string {
	text := string(start)
	at := strings.Index(text, "eyJ2Ijo")
	if at < 0 {
		return ""
	}
	end := at
	for end < len(text) &&
		(text[end] >= 'a' && text[end] <= 'z' || text[end] >= 'A' && text[end] <= 'Z' ||
			text[end] >= '0' && text[end] <= '9' || strings.ContainsRune("-_=", rune(text[end]))) {
		end++
	}
	return text[at:end]
}
