{{- define "finalizers.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "finalizers.fullname" -}}
{{- $name := include "finalizers.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "finalizers.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "finalizers.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "finalizers.selector" -}}
app.kubernetes.io/name: {{ include "finalizers.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "finalizers.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "finalizers.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* A file of alerts that docs has, with the names of this release in the commands that are about the exporter. */}}
{{- define "finalizers.rules" -}}
{{- $account := printf "serviceaccount:%s:%s" .root.Release.Namespace (include "finalizers.serviceAccount" .root) -}}
{{- .root.Files.Get .file
  | replace "serviceaccount:finalizers-metrics:finalizers-metrics" $account
  | replace "deploy/finalizers-metrics" (printf "deploy/%s" (include "finalizers.fullname" .root))
  | replace "-n finalizers-metrics" (printf "-n %s" .root.Release.Namespace) -}}
{{- end -}}
