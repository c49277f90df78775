// Reads [{ schema, values, manifests }] from a file and prints the faults of each as a JSON list of sentences: values by their
// JSON Schema; manifests by the schemas of Kubernetes, and by its types, which reject fields that Kubernetes does not know.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/.check');

/** `v1` is the core group. */
const moduleOf = (apiVersion) => (apiVersion.includes('/') ? apiVersion.replace(/\..*\//, '/') : apiVersion);
const modelModuleOf = (apiVersion) =>
  apiVersion.startsWith('networking.') ? 'networking.k8s.io/v1' : moduleOf(apiVersion);
const typeModuleOf = (apiVersion) => (apiVersion === 'v1' ? 'core/v1' : moduleOf(apiVersion));

const faultsOfValues = ({ schema, values }) => {
  const ajv = new Ajv({ allErrors: true, strictTypes: false });
  if (ajv.validate(schema, values)) return [];
  return ajv.errors.map(
    ({ instancePath, message, params }) => `values${instancePath} ${message} ${JSON.stringify(params)}`,
  );
};

const faultsOfManifests = async ({ manifests }) => {
  const faults = [];
  for (const manifest of manifests) {
    const { apiVersion, kind, metadata } = manifest;
    const Model = (await import(`kubernetes-models/${modelModuleOf(apiVersion)}`))[kind];
    try {
      new Model(manifest).validate();
    } catch (error) {
      faults.push(`${kind} ${metadata.name}: ${error.message}`);
    }
  }
  return faults;
};

/** Returns the manifests as constants of their types. */
const moduleOfManifests = ({ manifests }) =>
  manifests
    .flatMap((manifest, at) => {
      const { apiVersion, kind } = manifest;
      return [
        `import type { ${kind} as K${at} } from 'kubernetes-types/${typeModuleOf(apiVersion)}';`,
        `export const m${at}: K${at} = ${JSON.stringify(manifest)};`,
      ];
    })
    .join('\n');

/** Returns the faults of each case; one program checks them all, since most of its time goes to the types of Kubernetes. */
const faultsOfTypes = async (cases) => {
  if (cases.every(({ manifests }) => manifests.length === 0)) return cases.map(() => []);
  const { default: ts } = await import('typescript');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = cases.map((_, at) => join(folder, `manifests-${at}.ts`));
  for (const [at, file] of files.entries()) writeFileSync(file, moduleOfManifests(cases[at]));
  const program = ts.createProgram(files, {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  const found = ts.getPreEmitDiagnostics(program);
  rmSync(folder, { recursive: true });
  // A fault without a file, such as a missing type, is one of every case.
  return files.map((path) =>
    found
      .filter(({ file }) => file === undefined || file.fileName === path)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  );
};

const cases = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const types = await faultsOfTypes(cases);
const faults = [];
for (const [at, one] of cases.entries())
  faults.push([...faultsOfValues(one), ...(await faultsOfManifests(one)), ...types[at]]);
process.stdout.write(JSON.stringify(faults));
