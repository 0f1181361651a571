// Package packages looks into what `make snapshot` has built: it installs packages with the real dpkg and rpm,
// unpacks the others, and reads and runs the image. `make packages-test` does all
// of it.
package packages
