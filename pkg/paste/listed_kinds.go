package paste

// listing is a table of kubectl get whose columns show which kind it lists, and nothing else that is of use.
type listing struct{ columns, resource string }

func listings() []listing {
	return []listing{
		{"NAME,ATTACHER,PV,NODE", "volumeattachments"},
		{"NAME,CLUSTER-IP,EXTERNAL-IP,PORT(S)", "services"},
		{"NAME,DESIRED,CURRENT,UP-TO-DATE", "daemonsets"},
		{"NAME,READY,UP-TO-DATE,AVAILABLE", "deployments"},
		{"NAME,SCHEDULE,SUSPEND,ACTIVE", "cronjobs"},
		{"NAME,CLASS,HOSTS,PORTS", "ingresses"},
		{"NAME,PROVISIONER,RECLAIMPOLICY", "storageclasses"},
		{"NAME,MIN AVAILABLE,MAX UNAVAILABLE", "poddisruptionbudgets"},
	}
}

// mentions reads the rows of a listing: they show that the objects are there.
func (l listing) mentions() row {
	return func(r *reader, cells map[string]string, at int) error {
		r.sink.Mention(Mention{Resource: l.resource, Namespace: r.namespaceOf(cells), Name: named(cells), Line: at})
		return nil
	}
}

// jobRow reads a row of a Job. One that is being deleted may be held by anything, and its finalizers are in no table.
func jobRow(r *reader, cells map[string]string, at int) error {
	if cells["STATUS"] != terminating {
		return listing{resource: "jobs"}.mentions()(r, cells, at)
	}
	command := "kubectl get jobs " + named(cells) + " -o yaml"
	if namespace := r.namespaceOf(cells); namespace != "" {
		command += " -n " + namespace
	}
	r.advise(at, "a table does not show what holds Job %q, which is Terminating; use the output of %s", named(cells),
		command)
	return nil
}
