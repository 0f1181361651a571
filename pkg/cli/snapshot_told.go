package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/report"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/snapshot"
)

// tellRecorded says what was recorded, and what was not.
func tellRecorded(errOut io.Writer, file *recordingFile, writer *snapshot.Writer, recorder *snapshot.Recorder) {
	_, _ = fmt.Fprintf(errOut, "Recorded %s in %s (%s).\n", objects(writer.Objects()), report.EscapeText(file.name), size(file.size))
	for _, text := range missingTexts(recorder.Missing()) {
		_ = report.Paragraph(errOut, text, plainStyle(errOut)) // there is nowhere left to complain
	}
}

// mostMissing is how many kinds are named of those that were missed for one reason. All are in the file.
const mostMissing = 8

// missingTexts tells what could not be read, for each reason in a line: first what diagnoses read whole,
// because they miss it most.
func missingTexts(missing []cluster.Failure) (texts []string) {
	names := map[string][]string{}
	for _, failure := range missing {
		why := "failed"
		if apierrors.IsForbidden(failure.Err) {
			why = "is forbidden to you"
		}
		what := failure.Resource
		if failure.Name != "" {
			what += "/" + failure.Name
		}
		if !slices.Contains(names[why], what) {
			names[why] = append(names[why], what)
		}
	}
	for _, why := range []string{"is forbidden to you", "failed"} {
		found := names[why]
		if len(found) == 0 {
			continue
		}
		slices.SortFunc(found, func(a, b string) int {
			return cmp.Or(cmp.Compare(importance(a), importance(b)), cmp.Compare(a, b))
		})
		more := ""
		if len(found) > mostMissing+1 {
			more = fmt.Sprintf(" and %d more", len(found)-mostMissing)
			found = found[:mostMissing]
		}
		texts = append(texts, fmt.Sprintf("Not in it, because to read it %s: %s%s. Answers will say where that matters.", why, strings.Join(found, ", "), more))
	}
	return texts
}

func importance(what string) int {
	if snapshot.Whole(what) {
		return 0
	}
	return 1
}

func size(bytes int64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	case bytes >= 1<<10:
		return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", bytes)
}

func objects(count int) string {
	if count == 1 {
		return "1 object"
	}
	return fmt.Sprintf("%d objects", count)
}
