import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findInstalled } from '@app/ports';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';

/**
 * Serves the OpenAPI document at `/openapi.json` and `/openapi.yaml`, and its interactive page at `/docs`. The build has
 * written all of them.
 */
export const serveDocs = (app: NestFastifyApplication): void => {
  const folder = findInstalled('dist/programs') ?? 'dist/programs';
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  for (const [name, type] of DOCUMENTS)
    app
      .getHttpAdapter()
      .getInstance()
      .get(`/${name}`, (_, reply) => reply.type(type).send(read(name)));
  SwaggerModule.setup('docs', app, () => JSON.parse(read('openapi.json')), {
    raw: false,
    customSiteTitle: 'Palimpsest API',
    customSwaggerUiPath: join(folder, 'swagger-ui'),
  });
};

const DOCUMENTS = [
  ['openapi.json', 'application/json'],
  ['openapi.yaml', 'text/yaml'],
] as const;

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
