package statuses

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/writers"
)

// TellsError reports whether an annotation has a name for what went wrong: acme.io/last-error, acme.io/failure-message.
func TellsError(annotation string) bool {
	words := wordsOf(annotation[strings.LastIndex(annotation, "/")+1:])
	wrong := func(word string) bool {
		return slices.Contains([]string{"error", "errors", "failure", "failures"}, word)
	}
	if len(words) == 0 || !slices.ContainsFunc(words, wrong) {
		return false
	}
	last := words[len(words)-1]
	return wrong(last) || last == "message" || last == "reason"
}

// annotationReports reads the annotations in which controllers put what went wrong that keep no status. Only what
// managedFields name the writer of counts, since nothing else says whose words they are, and when they were written.
func annotationReports(object *unstructured.Unstructured, context statusContext) (reports []Report) {
	annotations := object.GetAnnotations()
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		words := annotations[key]
		wrong := "error: " + withoutNames(words, context.names...)
		if !TellsError(key) || !IsStatement(words) || Judge(wrong) != Trouble || past(words) {
			continue
		}
		report := Report{Where: "annotation " + key, Words: words}
		for _, written := range writers.Writers(context.fields, "f:metadata", "f:annotations", "f:"+key) {
			if report.By = append(report.By, written.Manager); written.At.After(report.At) {
				report.At = written.At
			}
		}
		if len(report.By) > 0 {
			report.Seen = !report.At.Before(context.deleted)
			report.Before = report.At.Before(context.deleted.Add(-moment))
			reports = append(reports, report)
		}
	}
	return reports
}
