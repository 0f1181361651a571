package snapshot

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// versionOfSeveral is that of a recording of several clusters: a header that names them, and then, in the same order,
// the recording of each that was recorded, as it would be alone.
const versionOfSeveral = 2

// Several is a recording of several clusters.
type Several struct {
	Header Header
	// Recordings are by cluster of the header; nil for one that could not be recorded.
	Recordings []*Recording
}

// SeveralError says that a recording is of several clusters, where one was expected.
type SeveralError struct{ Names []string }

// Error implements error.
func (e *SeveralError) Error() string {
	return fmt.Sprintf("it is a recording of several clusters (%s); choose one of them with --context",
		strings.Join(e.Names, ", "))
}

// Ambiguous returns the error for whoever expected one cluster.
func (s *Several) Ambiguous() error { return &SeveralError{Names: namesOf(s.Header)} }

// BeginSeveral writes the beginning of a recording of several clusters, which the header names. The recordings of
// the Answered ones have to follow in that order, as a Writer made each.
func BeginSeveral(out io.Writer, head Header) error {
	head.Format, head.Version, head.RecordedAt = Format, versionOfSeveral, head.RecordedAt.UTC()
	zip := gzip.NewWriter(out)
	return errors.Join(json.NewEncoder(zip).Encode(head), zip.Close())
}

// ReadAny loads a recording of one cluster, or of several: the other result is nil. Its errors are those of Read.
func ReadAny(in io.Reader) (*Recording, *Several, error) {
	head, lines, err := begin(in)
	switch {
	case err != nil:
		return nil, nil, err
	case head.Version == versionOfSeveral && len(head.Clusters) == 0:
		return nil, nil, errors.New("it is damaged: it names no clusters")
	case head.Version == versionOfSeveral:
		several, err := readSeveral(head, lines)
		return nil, several, err
	}
	recording := newRecording(head)
	if err := eachOf(lines, recording.add); err != nil {
		return nil, nil, err
	}
	if err := lines.ended(); err != nil {
		return nil, nil, err
	}
	return recording, nil, recording.complete()
}

func readSeveral(head Header, lines *lineReader) (*Several, error) {
	several := &Several{Header: head, Recordings: make([]*Recording, len(head.Clusters))}
	for i, cluster := range head.Clusters {
		if cluster.State != result.Answered {
			continue
		}
		recording, err := nextRecording(lines)
		if err != nil {
			return nil, fmt.Errorf("cluster %s: %w", cluster.Name, err)
		}
		several.Recordings[i] = recording
	}
	return several, lines.ended()
}

func nextRecording(lines *lineReader) (*Recording, error) {
	first, err := lines.next(longestHeader)
	switch {
	case errors.Is(err, io.EOF):
		return nil, ErrTruncated
	case err != nil:
		return nil, err
	}
	head, err := readHeader(first)
	if err == nil && head.Version != Version {
		err = errNoRecording
	}
	if err != nil {
		return nil, err
	}
	recording := newRecording(head)
	if err := eachOf(lines, recording.add); err != nil {
		return nil, err
	}
	return recording, recording.complete()
}

// namesOf are the names of the clusters in a header.
func namesOf(head Header) []string {
	return finding.Each(head.Clusters, func(cluster result.Cluster) string { return cluster.Name })
}
