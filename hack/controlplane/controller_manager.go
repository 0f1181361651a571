package controlplane

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// waitForControllers returns when the controller manager has done its first piece of work.
func waitForControllers(ctx context.Context, admin *rest.Config) error {
	client, err := kubernetes.NewForConfig(admin)
	if err != nil {
		return err
	}
	err = wait.PollUntilContextTimeout(ctx, 50*time.Millisecond, startTimeout, true,
		func(ctx context.Context) (bool, error) {
			_, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
			return err == nil, nil
		})
	if err != nil {
		return fmt.Errorf("wait for kube-controller-manager to create the default ServiceAccount: %w", err)
	}
	return nil
}

// user hands out a kubeconfig for a new client certificate.

// resumeControllerManager starts kube-controller-manager and keeps it running until it is paused: a
// starved machine can make it lose its leader election, upon which it exits. Without leader election, it leaves its
// Lease as it is.
func (s *supervisor) resumeControllerManager(elect bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.controllerManager.running() {
		if s.elects == elect {
			return nil
		}
		s.controllerManager.stop(0)
	}
	kubeconfig, err := s.componentKubeconfig("system:kube-controller-manager")
	if err != nil {
		return err
	}
	s.paused, s.elects = false, elect
	if elect {
		releaseLease(context.Background(), s.env.Config)
	}
	args := controllerManagerArgs(kubeconfig, s.env.ControlPlane.GetAPIServer().CertDir, s.release, elect)
	s.controllerManager, err = startProcess(s.dir, s.binaries.ControllerManager, args)
	if err != nil {
		return err
	}
	go func(started *process) {
		<-started.done
		time.Sleep(time.Second)
		s.mu.Lock()
		wanted := !s.paused && s.controllerManager == started
		s.mu.Unlock()
		if wanted {
			_ = s.resumeControllerManager(elect) // a failure shows as a Lease that is not renewed
		}
	}(s.controllerManager)
	return nil
}

// pauseControllerManager ends kube-controller-manager as a crash would: its Lease stays as it was.

// pauseControllerManager ends kube-controller-manager as a crash would: its Lease stays as it was.
func (s *supervisor) pauseControllerManager() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paused = true
	s.controllerManager.stop(0)
}

// startKwok starts kwok unless it runs. kwok acts as cluster administrator.
