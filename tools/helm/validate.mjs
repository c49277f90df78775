// Reads { schema, values, manifests } from a file and prints faults as a JSON list of sentences: values by their JSON
// Schema; manifests by the schemas of Kubernetes, and by its types, which reject fields that Kubernetes does not know.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';

const { schema, values, manifests } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const findings = [];

const ajv = new Ajv({ allErrors: true, strictTypes: false });
if (!ajv.validate(schema, values))
  for (const { instancePath, message, params } of ajv.errors)
    findings.push(`values${instancePath} ${message} ${JSON.stringify(params)}`);

/** `v1` is the core group. */
const moduleOf = (apiVersion) => (apiVersion.includes('/') ? apiVersion.replace(/\..*\//, '/') : apiVersion);
const modelModuleOf = (apiVersion) =>
  apiVersion.startsWith('networking.') ? 'networking.k8s.io/v1' : moduleOf(apiVersion);
const typeModuleOf = (apiVersion) => (apiVersion === 'v1' ? 'core/v1' : moduleOf(apiVersion));

const folder = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/.check');
const lines = [];
for (const [at, manifest] of manifests.entries()) {
  const { apiVersion, kind, metadata } = manifest;
  const Model = (await import(`kubernetes-models/${modelModuleOf(apiVersion)}`))[kind];
  try {
    new Model(manifest).validate();
  } catch (error) {
    findings.push(`${kind} ${metadata.name}: ${error.message}`);
  }
  lines.push(`import type { ${kind} as K${at} } from 'kubernetes-types/${typeModuleOf(apiVersion)}';`);
  lines.push(`export const m${at}: K${at} = ${JSON.stringify(manifest)};`);
}
if (lines.length > 0) {
  const { default: ts } = await import('typescript');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `manifests-${process.pid}.ts`);
  writeFileSync(file, lines.join('\n'));
  const program = ts.createProgram([file], {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  for (const { messageText } of ts.getPreEmitDiagnostics(program))
    findings.push(ts.flattenDiagnosticMessageText(messageText, ' '));
  rmSync(file);
}
process.stdout.write(JSON.stringify(findings));
