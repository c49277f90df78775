import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PUBLIC_MODULES, ROUTE_MODULES } from '../api.module.js';
import { openApiOf } from './document.js';
import { endpointsIn } from './endpoints.js';
import { readExamples } from './examples.js';

/** Serves the OpenAPI document at `/openapi.json` and `/openapi.yaml`, and its interactive page at `/docs`. */
export const serveDocs = (app: INestApplication): void => {
  const document = (): OpenAPIObject =>
    JSON.parse(JSON.stringify(openApiOf(endpointsIn([...PUBLIC_MODULES, ...ROUTE_MODULES]), readExamples())));
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Palimpsest API',
    customSwaggerUiPath: docsPage(),
  });
};

/** Returns the folder of the page's files, which the build puts into `dist/programs`. */
const docsPage = (): string => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const found = join(folder, 'dist/programs/swagger-ui');
    if (existsSync(found) || folder === dirname(folder)) return found;
  }
};
