// Writes the OpenAPI document of the compiled API to `dist/programs/openapi.json` and `openapi.yaml`, which the service sends
// as they are: to build them takes some 300 ms, in which nothing else would be answered.
import 'reflect-metadata';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stringify } from 'yaml';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist/programs');

/** Writes both files, and returns the document. */
export const writeApiDocument = async () => {
  const compiled = (path) => import(pathToFileURL(join(root, 'dist/apps/api/src', path)).href);
  const [{ PUBLIC_CONTROLLERS, ROUTE_CONTROLLERS }, { endpointsIn, readExamples }, { openApiOf }] =
    await Promise.all(['api.module.js', 'openapi/endpoints.js', 'openapi/document.js'].map(compiled));
  const endpoints = endpointsIn([...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS]);
  const json = JSON.stringify(openApiOf(endpoints, readExamples()));
  const document = JSON.parse(json);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), json);
  await writeFile(join(folder, 'openapi.yaml'), stringify(document, { aliasDuplicateObjects: false }));
  return document;
};
