package health_test

import (
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/health"
)

func TestJobEnds(t *testing.T) {
	began := metav1.NewTime(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	limited := batchv1.JobSpec{ActiveDeadlineSeconds: new(int64(300))}
	suspended := limited
	suspended.Suspend = new(true)
	tests := []struct {
		name  string
		spec  batchv1.JobSpec
		began *metav1.Time
		want  time.Time
	}{
		{"limited", limited, &began, began.Add(5 * time.Minute)},
		{"no limit", batchv1.JobSpec{}, &began, time.Time{}},
		{"not seen by its controller yet", limited, nil, time.Time{}},
		{"suspended", suspended, &began, time.Time{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := health.JobEnds(&batchv1.Job{Spec: test.spec, Status: batchv1.JobStatus{StartTime: test.began}})
			if !got.Equal(test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
