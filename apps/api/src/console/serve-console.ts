import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { findInstalled } from '@app/ports';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The files of the console by their path below `/console/`, with their media types. */
const FILES = {
  '': ['index.html', 'text/html; charset=utf-8'],
  'console.js': ['console.js', 'text/javascript; charset=utf-8'],
  'console.css': ['console.css', 'text/css; charset=utf-8'],
  'icon.svg': ['icon.svg', 'image/svg+xml'],
} as const;

/** Scripts and styles from this origin alone, and no markup from strings. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

type Kept = { readonly type: string; readonly plain: Buffer; readonly packed: Buffer; readonly tag: string };

/** Serves the console at `/console/`, and redirects `/console` and a browser's `/` there. */
export const serveConsole = (app: NestFastifyApplication): void => {
  const server = app.getHttpAdapter().getInstance();
  server.get('/console', (_, reply) => reply.redirect('console/', 308));
  server.get('/', (request, reply) =>
    isBrowser(request) ? reply.redirect('console/', 302) : reply.callNotFound(),
  );
  for (const [path, [name, type]] of Object.entries(FILES)) {
    let kept: Promise<Kept> | undefined;
    server.get(`/console/${path}`, async (request, reply) => {
      kept ??= keep(name, type);
      return send(await kept, request, reply);
    });
  }
};

const isBrowser = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html');

const keep = async (name: string, type: string): Promise<Kept> => {
  const plain = await readFile(consoleFile(name));
  const packed = await promisify(gzip)(plain, { level: 9 });
  return {
    type,
    plain,
    packed,
    tag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  };
};

const send = ({ type, plain, packed, tag }: Kept, request: FastifyRequest, reply: FastifyReply) => {
  void reply.headers({
    'content-security-policy': POLICY,
    'content-type': type,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: tag,
  });
  if (request.headers['if-none-match'] === tag) return reply.status(304).send();
  const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  return isPacked ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(plain);
};

/** The console's files, which the build puts there. */
const FOLDER = findInstalled('dist/programs/console') ?? 'dist/programs/console';

/** Returns the path of one of the console's files. */
export const consoleFile = (name: string): string => join(FOLDER, name);
