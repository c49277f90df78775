import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PUBLIC_CONTROLLERS, ROUTE_CONTROLLERS } from '../api.module.js';
import { openApiOf } from './document.js';
import { endpointsIn, readExamples } from './endpoints.js';

/** Serves the OpenAPI document at `/openapi.json` and `/openapi.yaml`, and its interactive page at `/docs`. */
export const serveDocs = (app: INestApplication): void => {
  const document = (): OpenAPIObject =>
    JSON.parse(
      JSON.stringify(openApiOf(endpointsIn([...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS]), readExamples())),
    );
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

const ICON = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">',
  '<rect width="16" height="16" rx="3" fill="#2f3a4a"/>',
  '<path d="M4 5h8M4 8h8M4 11h5" stroke="#f3efe4" stroke-width="1.5"/>',
  '<path d="M5 3l6 10" stroke="#d9a441" stroke-opacity=".55" stroke-width="1.5"/>',
  '</svg>',
].join('');

/** Serves `/favicon.ico`, which browsers request for each page without an icon. */
export const serveIcon = (app: NestFastifyApplication): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .get('/favicon.ico', (_, reply) =>
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
    );
};
