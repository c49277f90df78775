{{- define "palimpsest.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains (default .Chart.Name .Values.nameOverride) .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (default .Chart.Name .Values.nameOverride) | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "palimpsest.selector" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "palimpsest.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{ include "palimpsest.selector" . }}
{{- end -}}

{{- define "palimpsest.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "palimpsest.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "palimpsest.secret" -}}
{{- default (include "palimpsest.fullname" .) .Values.existingSecret -}}
{{- end -}}

{{- define "palimpsest.hasInlineSecrets" -}}
{{- if or .Values.eventStore.url .Values.postgres.url .Values.secrets.apiKey .Values.secrets.secretsKey .Values.secrets.anthropicApiKey .Values.secrets.openaiApiKey -}}
true
{{- end -}}
{{- end -}}
