// Command externalsecrets is External Secrets, from its own main package's only line.
package main

import "github.com/external-secrets/external-secrets/cmd/controller"

func main() { controller.Execute() }
