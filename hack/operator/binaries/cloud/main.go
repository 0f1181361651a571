// Command cloud is a cloud-controller-manager: the service controller of k8s.io/cloud-provider, with a cloud that
// has load balancers in name only. While the file /told/fail holds text, this is the error with which the cloud
// answers the deletion of a load balancer.
package main

import (
	"context"
	"errors"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	cloudprovider "k8s.io/cloud-provider"
	"k8s.io/cloud-provider/app"
	"k8s.io/cloud-provider/app/config"
	"k8s.io/cloud-provider/names"
	"k8s.io/cloud-provider/options"
	"k8s.io/component-base/cli"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/klog/v2"
)

func main() {
	choices, err := options.NewCloudControllerManagerOptions()
	if err != nil {
		klog.Fatal(err)
	}
	made := func(*config.CompletedConfig) cloudprovider.Interface { return cloud{} }
	controllers := map[string]app.ControllerInitFuncConstructor{
		names.ServiceLBController: app.DefaultInitFuncConstructors[names.ServiceLBController],
	}
	none := cliflag.NamedFlagSets{}
	os.Exit(cli.Run(app.NewCloudControllerManagerCommand(choices, made, controllers, nil, none, wait.NeverStop)))
}

// cloud is a cloud that has load balancers and nothing else.
type cloud struct{}

var _ cloudprovider.LoadBalancer = cloud{}

func (cloud) Initialize(cloudprovider.ControllerClientBuilder, <-chan struct{}) {}
func (c cloud) LoadBalancer() (cloudprovider.LoadBalancer, bool)                { return c, true }
func (cloud) Instances() (cloudprovider.Instances, bool)                        { return nil, false }
func (cloud) InstancesV2() (cloudprovider.InstancesV2, bool)                    { return nil, false }
func (cloud) Zones() (cloudprovider.Zones, bool)                                { return nil, false }
func (cloud) Clusters() (cloudprovider.Clusters, bool)                          { return nil, false }
func (cloud) Routes() (cloudprovider.Routes, bool)                              { return nil, false }
func (cloud) ProviderName() string                                              { return "cloud" }
func (cloud) HasClusterID() bool                                                { return true }

func (cloud) status() *corev1.LoadBalancerStatus {
	return &corev1.LoadBalancerStatus{Ingress: []corev1.LoadBalancerIngress{{IP: "192.0.2.1"}}}
}

func (c cloud) GetLoadBalancer(
	context.Context, string, *corev1.Service,
) (*corev1.LoadBalancerStatus, bool, error) {
	return c.status(), true, nil
}

func (cloud) GetLoadBalancerName(_ context.Context, _ string, service *corev1.Service) string {
	return cloudprovider.DefaultLoadBalancerName(service)
}

func (c cloud) EnsureLoadBalancer(
	context.Context, string, *corev1.Service, []*corev1.Node,
) (*corev1.LoadBalancerStatus, error) {
	return c.status(), nil
}

func (cloud) UpdateLoadBalancer(context.Context, string, *corev1.Service, []*corev1.Node) error {
	return nil
}

func (cloud) EnsureLoadBalancerDeleted(context.Context, string, *corev1.Service) error {
	told, err := os.ReadFile("/told/fail")
	if err == nil && len(told) > 0 {
		return errors.New(strings.TrimSpace(string(told)))
	}
	return nil
}
