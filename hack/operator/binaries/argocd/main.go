// Command argocd is Argo CD's application controller, with the cache beside it that its manifests run in a pod of its
// own: a Redis in memory, which no pod here can reach otherwise.
package main

import (
	"fmt"
	"os"

	"github.com/alicebob/miniredis/v2"
	"github.com/argoproj/argo-cd/v3/cmd/argocd-application-controller/commands"
)

func main() {
	cache := miniredis.NewMiniRedis()
	if err := cache.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer cache.Close()
	command := commands.NewCommand()
	command.SetArgs(append(os.Args[1:], "--redis="+cache.Addr()))
	if err := command.Execute(); err != nil {
		os.Exit(1)
	}
}
