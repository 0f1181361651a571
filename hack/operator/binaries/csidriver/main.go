// Command csidriver is a CSI driver that has no storage: it says of everything that it is done. It is what csi-attacher
// and csi-provisioner talk to in tests, and is called what DRIVER says. A line
// "METHOD: message" in /told/fail lets that method fail with that message, and a METHOD in /told/slow takes
// as long as whoever calls it waits.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path"
	"strings"

	"github.com/container-storage-interface/spec/lib/go/csi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func main() {
	if err := serve(os.Getenv("CSI_ENDPOINT")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve answers on a socket until it is killed.
func serve(socket string) error {
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		return err
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.UnaryInterceptor(obey))
	csi.RegisterIdentityServer(server, identity{})
	csi.RegisterControllerServer(server, controller{})
	return server.Serve(listener)
}

// obey lets a method fail that is told to, or take as long as it is asked to wait.
func obey(ctx context.Context, request any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	for line := range strings.Lines(told("fail")) {
		method, message, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if method == path.Base(info.FullMethod) {
			return nil, status.Error(codes.Internal, message)
		}
	}
	if told("slow") == path.Base(info.FullMethod) {
		<-ctx.Done()
		return nil, status.FromContextError(ctx.Err()).Err()
	}
	return handle(ctx, request)
}

// told is what a file says, and nothing where there is none.
func told(name string) string {
	data, _ := os.ReadFile("/told/" + name)
	return strings.TrimSpace(string(data))
}

type identity struct {
	csi.UnimplementedIdentityServer
}

// GetPluginInfo implements csi.IdentityServer.
func (identity) GetPluginInfo(context.Context, *csi.GetPluginInfoRequest) (*csi.GetPluginInfoResponse, error) {
	name := os.Getenv("DRIVER")
	if name == "" {
		name = "mock.example.com"
	}
	return &csi.GetPluginInfoResponse{Name: name, VendorVersion: "1"}, nil
}

// GetPluginCapabilities implements csi.IdentityServer.
func (identity) GetPluginCapabilities(
	context.Context, *csi.GetPluginCapabilitiesRequest,
) (*csi.GetPluginCapabilitiesResponse, error) {
	service := &csi.PluginCapability_Service{Type: csi.PluginCapability_Service_CONTROLLER_SERVICE}
	capability := &csi.PluginCapability{Type: &csi.PluginCapability_Service_{Service: service}}
	return &csi.GetPluginCapabilitiesResponse{Capabilities: []*csi.PluginCapability{capability}}, nil
}

// Probe implements csi.IdentityServer.
func (identity) Probe(context.Context, *csi.ProbeRequest) (*csi.ProbeResponse, error) {
	return &csi.ProbeResponse{Ready: wrapperspb.Bool(true)}, nil
}

type controller struct {
	csi.UnimplementedControllerServer
}

// ControllerGetCapabilities implements csi.ControllerServer.
func (controller) ControllerGetCapabilities(
	context.Context, *csi.ControllerGetCapabilitiesRequest,
) (*csi.ControllerGetCapabilitiesResponse, error) {
	answer := &csi.ControllerGetCapabilitiesResponse{}
	for _, one := range []csi.ControllerServiceCapability_RPC_Type{
		csi.ControllerServiceCapability_RPC_CREATE_DELETE_VOLUME,
		csi.ControllerServiceCapability_RPC_PUBLISH_UNPUBLISH_VOLUME,
	} {
		rpc := &csi.ControllerServiceCapability_Rpc{Rpc: &csi.ControllerServiceCapability_RPC{Type: one}}
		answer.Capabilities = append(answer.Capabilities, &csi.ControllerServiceCapability{Type: rpc})
	}
	return answer, nil
}

// CreateVolume implements csi.ControllerServer.
func (controller) CreateVolume(_ context.Context, request *csi.CreateVolumeRequest) (*csi.CreateVolumeResponse, error) {
	size := request.GetCapacityRange().GetRequiredBytes()
	return &csi.CreateVolumeResponse{Volume: &csi.Volume{VolumeId: "vol-" + request.GetName(), CapacityBytes: size}}, nil
}

// DeleteVolume implements csi.ControllerServer.
func (controller) DeleteVolume(context.Context, *csi.DeleteVolumeRequest) (*csi.DeleteVolumeResponse, error) {
	return &csi.DeleteVolumeResponse{}, nil
}

// ControllerPublishVolume implements csi.ControllerServer.
func (controller) ControllerPublishVolume(
	context.Context, *csi.ControllerPublishVolumeRequest,
) (*csi.ControllerPublishVolumeResponse, error) {
	return &csi.ControllerPublishVolumeResponse{}, nil
}

// ControllerUnpublishVolume implements csi.ControllerServer.
func (controller) ControllerUnpublishVolume(
	context.Context, *csi.ControllerUnpublishVolumeRequest,
) (*csi.ControllerUnpublishVolumeResponse, error) {
	return &csi.ControllerUnpublishVolumeResponse{}, nil
}
