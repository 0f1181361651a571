package finding

// JobTrackingDetails are those of a pod that a Job should count.
type JobTrackingDetails struct {
	Job     *Ref   `json:"job,omitempty"`
	Manager string `json:"manager,omitempty"` // that runs the Job
	// Controller is what controls the pod, if that isn't a Job.
	Controller string `json:"controller,omitempty"`
	// Deleted says that the Job is being deleted.
	Deleted bool `json:"deleted,omitempty"`
}
