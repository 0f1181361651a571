package operator

// enterEnv holds the container that this process becomes.
const enterEnv = "OPERATOR_CONTAINER"

// container is a program as it runs in a pod: a root, a host name, mounts and an environment of its own. It shares
// the network of this machine, and its processors and memory.
type container struct {
	Root     string
	Hostname string
	Mounts   []mount
	Argv     []string // the program's path within the root, and its arguments
	Env      []string
}

// mount is a file or a folder of this machine that the container has at a path.
type mount struct{ Source, Target string }
