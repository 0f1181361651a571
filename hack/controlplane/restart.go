package controlplane

import (
	"context"
	"fmt"
)

// restartAPIServer stops kube-apiserver and starts it again with the same address, certificates and
// users. It returns when the server is healthy, which says nothing about its caches.
func (s *supervisor) restartAPIServer() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	server := s.env.ControlPlane.GetAPIServer()
	if err := server.Stop(); err != nil {
		return fmt.Errorf("stop kube-apiserver: %w", err)
	}
	if err := server.Start(); err != nil {
		return fmt.Errorf("start kube-apiserver again: %w", err)
	}
	return waitForControllers(context.Background(), s.env.Config)
}
