import type { NestFastifyApplication } from '@nestjs/platform-fastify';

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
