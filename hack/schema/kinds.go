package main

import (
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/finding"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/result"
)

// kinds are the structures that commands print, by the kind that each one names. A kind with several is one of them.
func kinds() map[string][]any {
	return map[string][]any{
		"Diagnosis":           {result.Diagnosis{}},
		"DiagnosisList":       {result.DiagnosisList{}, result.List{}},
		"BlockingGraph":       {result.Tree{}},
		"CheckReport":         {result.Check{}},
		"DeletionPreview":     {result.Preview{}},
		"DeletionPreviewList": {result.PreviewList{}},
		"Explanation":         {result.Explanation{}},
		"ProjectList":         {result.ProjectList{}},
		"RemovalReport":       {result.RemovalReport{}},
		"UninstallPlan":       {result.UninstallPlan{}},
		"RescuePlan":          {result.RescuePlan{}},
		"Version":             {result.Version{}},
	}
}

// detailTypes are the structures of pkg/finding that are the details of a situation.
func detailTypes() []any {
	return []any{
		finding.RescueDetails{}, finding.RescueSummary{},
		finding.AbsenceDetails{}, finding.AddressDetails{}, finding.AdmissionDeniedDetails{}, finding.AskedDetails{},
		finding.AgentNodeDetails{}, finding.NamedObjectDetails{},
		finding.AwaitedCauseDetails{}, finding.BackendDetails{}, finding.BelowDetails{}, finding.CheckedDetails{},
		finding.ContainerNotStoppingDetails{}, finding.ContentDetails{}, finding.ContentUnreadDetails{},
		finding.ControlPlaneDownDetails{}, finding.MisspeltDetails{},
		finding.ControllerDetails{}, finding.HookDetails{}, finding.ControllerMissingDetails{},
		finding.ControllerUnknownDetails{},
		finding.SwitchDetails{}, finding.AccountDetails{}, finding.LeaderDetails{}, finding.RestartDetails{},
		finding.ConversionDetails{}, finding.DeadlockDetails{}, finding.DeclaredWaitDetails{},
		finding.DependentNotDeletedDetails{}, finding.DependentsDetails{}, finding.DenyingPolicyDetails{},
		finding.DutyDetails{}, finding.FactDetails{},
		finding.FinalizerNamesDetails{}, finding.FormerNamespaceDetails{},
		finding.GroupVersionDetails{}, finding.HeldDetails{}, finding.HistoryDetails{}, finding.HoldDetails{},
		finding.KeptPodsDetails{}, finding.LinkDetails{}, finding.LivePodsDetails{},
		finding.HoldsDetails{}, finding.InstancesDetails{}, finding.InvalidOwnerReferenceDetails{},
		finding.JobTrackingDetails{}, finding.KnownFinalizerDetails{}, finding.LaterDetails{},
		finding.LoadBalancerDetails{}, finding.LogsDetails{}, finding.MirrorPodDetails{}, finding.MovementDetails{},
		finding.NamesDetails{}, finding.NamespaceControllerDetails{}, finding.NodeNotReadyDetails{},
		finding.OnTheWayDetails{}, finding.OwnerDetails{}, finding.OwnerReferenceDetails{}, finding.PodDetails{},
		finding.PreviewDetails{}, finding.RemovalDetails{}, finding.RetryDetails{}, finding.SilentWebhooksDetails{},
		finding.StayingDetails{}, finding.StepDetails{}, finding.StillInUseDetails{}, finding.StopDetails{},
		finding.StorageDriverDetails{},
		finding.TakenDetails{}, finding.TaskDetails{}, finding.UndecodableObjectDetails{},
		finding.UninstallDetails{},
		finding.UnresolvableOwnerDetails{}, finding.UnseenDetails{}, finding.UnwatchedDetails{},
		finding.WouldGoDetails{},
		finding.UpdateInvalidDetails{}, finding.VolumeDetails{}, finding.WebhookUnavailableDetails{},
	}
}

// fieldValues are the values of fields that are plain strings in Go.
func fieldValues() map[string][]string {
	return map[string][]string{
		"Presence.state":       {"Running", "Starting", "Down", "Forbidden", "Missing", "NotServed", "Unknown"},
		"Preview.cascade":      {"Background", "Foreground", "Orphan"},
		"Write.form":           {"MergePatch", "Finalize", "Delete"},
		"RemovalReport.dryRun": {"client", "server"},
		"UninstallTarget.type": {"Manifests", "Release", "Project", "Object"},
	}
}
