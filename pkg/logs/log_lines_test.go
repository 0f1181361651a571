package logs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-finalizers/kubectl-finalizers/pkg/logs"
)

func TestLoggedNames(t *testing.T) {
	web := logs.LoggedName{Kind: "Database", Namespace: "shop", Name: "web", UID: "5b6c"}
	orders := logs.LoggedName{Kind: "Database", Namespace: "shop", Name: "orders-1", UID: "77aa"}
	payments := logs.LoggedName{Kind: "Namespace", Name: "payments"}
	for _, test := range []struct {
		line string
		of   logs.LoggedName
		want bool
	}{
		{"reconciling shop/web", web, true},
		{"reconciling shop/webhook", web, false},
		{"reconciling shop/web-2", web, false},
		{"reconciling other/web", web, false},
		{"reconciling shop/my-web", web, false},
		{"reconciling other/web (uid 5b6c)", web, true},
		{`"Reconciler error" database="shop/web" err="boom"`, web, true},
		{`{"msg":"failed","Database":{"name":"web","namespace":"shop"}}`, web, true},
		{`{"msg":"failed","Database":{"name":"web","namespace":"other"}}`, web, false},
		{`{"msg":"failed","log":"{\"name\":\"web\"}"}`, web, true},
		{`level=error name=web msg="can't delete"`, web, true},
		{"deleting database web failed", web, true},
		{"deleting Database 'web' failed", web, true},
		{"Database.shop.example.com/web: boom", web, true},
		{"no web proxy configured", web, false},
		{"starting the webhook", web, false},
		{`namespace=web name=cart`, web, false},
		{`Put "https://10.0.0.1/apis/x/v1/namespaces/shop/databases/web/status": EOF`, web, true},
		{`Put "https://10.0.0.1/apis/x/v1/namespaces/other/databases/web/status": EOF`, web, false},
		{"web/cart is fine", web, false},
		{"cannot remove orders-1.", orders, true},
		{"cannot remove orders-1.example.com", orders, false},
		{"cannot remove old.orders-1", orders, false},
		{"cannot remove orders-12", orders, false},
		{"orders-1 of namespace: other", orders, false},
		{"namespace payments has content", payments, true},
		{`"namespace":"payments"`, payments, true},
		{"payments are due", payments, false},
		{"payments/cart reconciled", payments, false},
		{"", web, false},
	} {
		if got := test.of.In(test.line); got != test.want {
			t.Errorf("%s %s is named in %q: %t", test.of.Kind, test.of.Name, test.line, got)
		}
	}
}

func TestLogLines(t *testing.T) {
	const failed = `E0102 03:00:01 1 op.go:7] "failed" database="shop/web" reconcileID=`
	log := strings.Join([]string{
		"2026-01-02T03:00:00Z I0102 reconciling shop/web",
		"2026-01-02T03:00:01.5Z " + failed + "0f0e0d0c-0000-1111-2222-333344445555",
		"2026-01-02T03:00:02Z \x1b[31mERROR\x1b[0m\tshop/web\tbucket is gone",
		"2026-01-02T03:00:03Z {\"level\":\"info\",\"msg\":\"no error yet\",\"name\":\"web\"}",
		"2026-01-02T03:00:04Z nothing about it",
		"no time: shop/web",
		"2026-01-02T03:09:01Z " + strings.Replace(failed, "00:01", "09:01", 1) + "aaaaaaaa-0000-1111-2222-333344445555",
		"2026-01-02T03:01:00Z waiting for shop/web-2 to be unmounted",
		"2026-01-02T03:10:00Z waiting for shop/web to be unmounted",
		"2026-01-02T03:11:00Z shop/web: the bucket could not be deleted",
	}, "\n")
	names := []logs.LoggedName{
		{Kind: "Database", Namespace: "shop", Name: "web"}, {Kind: "Database", Namespace: "shop", Name: "web-2"},
	}
	lines, all := logs.LogLines(log, names)
	if all != 9 || len(lines) != 8 {
		t.Errorf("%d of %d lines name one of them, want 8 of 9", len(lines), all)
	}
	var got []string
	for _, line := range logs.LastLines(lines, 6) {
		got = append(got, line.At.Format("04:05")+" "+line.Text[:min(len(line.Text), 14)])
	}
	want := []string{ // errors first, the newest of each first
		"11:00 shop/web: the ", "09:01 E0102 03:09:01", "00:02 ERROR shop/web",
		"10:00 waiting for sh", "01:00 waiting for sh", `00:03 {"level":"info`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the last lines are %q, want %q", got, want)
	}
	if joined := logs.LastLines(lines, 5)[1]; joined.Times != 2 {
		t.Errorf("%q was written %d times, want 2", joined.Text, joined.Times)
	}
}
