package states

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/util/jsonpath"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/cluster"
	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/leftout"
	"github.com/kubectl-finalizers/kubectl-finalizers/plugins"
)

// column is one of a definition's additionalPrinterColumns.
type column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	JSONPath string `json:"jsonPath"`
	path     *jsonpath.JSONPath
}

// versioned is the part of a definition that has its columns.
type versioned struct {
	Spec struct {
		Versions []struct {
			Name    string   `json:"name"`
			Columns []column `json:"additionalPrinterColumns"`
		} `json:"versions"`
	} `json:"spec"`
}

// custom returns what prints custom resources: the columns READY and STATUS of their definition. If the definition was
// not recorded, it is not known whether there are any.
func (p Printer) custom(ctx context.Context, resource cluster.Resource) printer {
	definition, err := p.Get(ctx, cluster.CustomResourceDefinitions(), "", resource.Resource+"."+resource.Group)
	if apierrors.IsNotFound(err) {
		return nil // another API server serves them, and prints what it likes
	}
	columns, known := columnsOf(definition, resource.Version)
	switch {
	case !known:
		return func(*unstructured.Unstructured) cells { return cells{ready: Unknown, status: Unknown} }
	case len(columns) == 0:
		return nil
	}
	now := p.Now()
	return func(object *unstructured.Unstructured) cells {
		row := cells{}
		for _, column := range columns {
			if cell, is := column.cell(object, now); is {
				row[strings.ToUpper(column.Name)] = cell
			}
		}
		return row
	}
}

// columnsOf returns the columns of a version that are of interest. An API server prints only the age for a version if
// it can't read one of its columns (k8s v1.37 apiextensions-apiserver
// pkg/registry/customresource/tableconvertor/tableconvertor.go:New).
func columnsOf(definition *unstructured.Unstructured, version string) (columns []column, known bool) {
	if definition == nil {
		return nil, false
	}
	var read versioned
	data, err := json.Marshal(definition.Object)
	if err != nil || json.Unmarshal(data, &read) != nil {
		return nil, false
	}
	for _, one := range read.Spec.Versions {
		if one.Name != version {
			continue
		}
		for _, column := range one.Columns {
			if !costly(column.JSONPath) {
				column.path = jsonpath.New(column.Name).AllowMissingKeys(true)
				if column.path.Parse("{"+column.JSONPath+"}") != nil {
					return nil, true
				}
			}
			if name := strings.ToUpper(column.Name); name == ready || name == status {
				columns = append(columns, column)
			}
		}
		return columns, true
	}
	return nil, false
}

// costly reports whether a path may take very long to evaluate. Each .. visits all that is below each of its results,
// and each comma makes one result more of every one. Definitions use one of them at most.
func costly(path string) bool {
	const most, mostNames, longest = 1, 4, 1000
	return strings.Count(path, "..") > most || strings.Count(path, ",") > mostNames || len(path) > longest
}

// cell prints one cell, or says that it is empty (tableconvertor.go:ConvertToTable, cellForJSONValue).
func (c column) cell(object *unstructured.Unstructured, now time.Time) (text string, is bool) {
	if c.path == nil || object.Object[metadataOnly] != nil && !strings.HasPrefix(c.JSONPath, ".metadata.") {
		return Unknown, true
	}
	results, err := c.path.FindResults(object.Object)
	if err != nil || len(results) == 0 || len(results[0]) == 0 {
		return Unknown, slices.ContainsFunc(plugins.PathsIn("{"+c.JSONPath+"}"), func(path []string) bool {
			return lacks(object.Object, path)
		})
	}
	value := results[0][0].Interface()
	if c.Type != "string" {
		text, is = scalar(c.Type, value, now)
	} else {
		var out bytes.Buffer
		is = c.path.PrintResults(&out, []reflect.Value{reflect.ValueOf(value)}) == nil
		text = out.String()
	}
	if leftout.In(text) {
		return Unknown, true
	}
	return text, is
}

// lacks reports whether a field may have been there that a recording doesn't hold.
func lacks(value any, path []string) bool {
	switch value := value.(type) {
	case map[string]any:
		return len(path) > 0 && (leftout.Lacks(value, path[0]) || lacks(value[path[0]], path[1:]))
	case []any:
		return slices.ContainsFunc(value, func(one any) bool { return lacks(one, path) })
	}
	return false
}

// scalar prints what is no text.
func scalar(kind string, value any, now time.Time) (string, bool) {
	switch value := value.(type) {
	case int64:
		if kind == "number" {
			return fmt.Sprint(float64(value)), true
		}
		return fmt.Sprint(value), kind == "integer"
	case float64:
		if kind == "integer" {
			return fmt.Sprint(int64(value)), true
		}
		return fmt.Sprint(value), kind == "number"
	case bool:
		return fmt.Sprint(value), kind == "boolean"
	case string:
		return age(value, now), kind == "date"
	}
	return "", false
}

func age(text string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, text)
	switch {
	case err != nil:
		return "<invalid>"
	case at.IsZero():
		return Unknown
	}
	return duration.HumanDuration(now.Sub(at))
}
