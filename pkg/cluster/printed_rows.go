package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// table asks for what kubectl get prints, made by the server.
const table = "application/json;as=Table;v=v1;g=meta.k8s.io"

// Row is one object as kubectl get prints it: its cells by the names of their columns.
type Row struct {
	Namespace, Name string
	Cells           map[string]string
}

// Tabler prints objects as kubectl get does.
type Tabler interface {
	// Rows prints one object, or with an empty name all of a namespace.
	Rows(ctx context.Context, resource Resource, namespace, name string) ([]Row, error)
}

// Rows implements Tabler.
func (l *Live) Rows(ctx context.Context, resource Resource, namespace, name string) (rows []Row, err error) {
	path := resource.list(namespace)
	if name != "" {
		if path = resource.object(namespace, name); resource.names(namespace, name) {
			return nil, nil
		}
	}
	err = eachPage(ctx, Selector{}, func(options metav1.ListOptions, list *listed) (page metav1.ListMeta, err error) {
		request, err := l.request(http.MethodGet, path)
		if err != nil {
			return page, err
		}
		request.SetHeader("Accept", table)
		if name == "" {
			request.SpecificallyVersionedParams(&options, metav1.ParameterCodec, metav1.Unversioned)
		}
		data, err := bounded(ctx, request)
		if err != nil {
			return page, l.failedFor(ctx, resource, name, err)
		}
		var printed metav1.Table
		if err := json.Unmarshal(data, &printed); err != nil || printed.Kind != "Table" {
			return page, notPrinted(resource, data)
		}
		for _, row := range printed.Rows {
			rows = append(rows, newRow(printed.ColumnDefinitions, row))
			if err := list.count(); err != nil {
				return page, err
			}
		}
		return printed.ListMeta, nil
	})
	return rows, err
}

// notPrinted returns what is wrong with an answer that has no rows: nothing, where it is what should have been printed.
// Not all servers behind an APIService print.
func notPrinted(resource Resource, answer []byte) error {
	var is metav1.TypeMeta
	err := json.Unmarshal(answer, &is)
	if err == nil && (expectKind(resource, is) == nil || expectList(resource, is) == nil) {
		return nil
	}
	return fmt.Errorf("the server doesn't print %s: %w", resource.QualifiedName(), errors.Join(err, anObject(is.Kind)))
}

func newRow(columns []metav1.TableColumnDefinition, printed metav1.TableRow) Row {
	row := Row{Cells: map[string]string{}}
	var object metav1.PartialObjectMetadata
	if json.Unmarshal(printed.Object.Raw, &object) == nil {
		row.Namespace, row.Name = object.Namespace, object.Name
	}
	for i, column := range columns {
		if i < len(printed.Cells) && printed.Cells[i] != nil {
			row.Cells[strings.ToUpper(column.Name)] = fmt.Sprint(printed.Cells[i])
		}
	}
	return row
}
