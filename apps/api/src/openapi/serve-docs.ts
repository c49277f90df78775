import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

/** Serves the description of the API, made of its endpoints, at `/openapi.json`, and a page to try it at `/docs`. */
export const serveDocs = (app: INestApplication): void => {
  const about = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Palimpsest')
    .setDescription('Compaction of the context of LLM agents, with audit, undo and replay.')
    .setVersion('1')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key of a tenant' })
    .build();
  SwaggerModule.setup(
    'docs',
    app,
    () => SwaggerModule.createDocument(app, about, { autoTagControllers: false }),
    {
      jsonDocumentUrl: 'openapi.json',
      yamlDocumentUrl: 'openapi.yaml',
      customSiteTitle: 'Palimpsest API',
    },
  );
};
