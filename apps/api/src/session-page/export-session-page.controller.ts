import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ExportProof, Moment, type SessionRef, ShowSession, streamOf } from '@app/application';
import { AppError, collected, jsonChunks, Slices } from '@app/kernel';
import { signedPageText } from '@app/proof';
import { Controller, Inject, Query, Req, StreamableFile } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { consoleFile } from '../console/serve-console.js';
import { principalOf } from '../http/access.guard.js';
import { CONTENT_HEADER, contentForbidden, mayReadContent, REASON_HEADER } from '../http/content/content.js';
import { ContentReads } from '../http/content/content-reads.js';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { type Ask, type Recording, recordedAnswers } from './recording.js';

const query = z.strictObject({
  content: z
    .enum(['none', 'clear'])
    .default('none')
    .describe(
      '`none`: sizes, times and IDs, and the title, project and labels; `clear`: with all text, which needs `content:read`',
    ),
});
const PATH = 'v1/sessions/:session/page';

/** Headers that say who asks, from where, and why. */
const FORWARDED = [
  ...['authorization', 'cookie', 'host', 'origin', 'sec-fetch-site', 'x-forwarded-proto', REASON_HEADER],
] as const;

/** `GET /v1/sessions/:session/page` */
@Controller()
export class ExportSessionPageController extends BusController {
  @Inject(ContentReads) private readonly reads!: ContentReads;
  @Inject(HttpAdapterHost) private readonly host!: HttpAdapterHost;

  @Endpoint('GET', 'v1/sessions/:session/page', {
    id: 'exportSessionPage',
    summary:
      'Exports a session as one HTML file that works offline and verifies itself with its proof bundle.',
    roles: READERS,
    content: 'streamed',
    query,
    produces: 'text/html',
    response: z
      .string()
      .describe('The console with this session, its proof bundle, and a signature of the log'),
    errors: ['session-not-found', 'content-forbidden', 'log-behind', 'log-not-found', 'erasure-in-progress'],
  })
  async export(
    @Query(valid(query)) { content }: z.output<typeof query>,
    @CurrentCaller() { ref }: ApiCaller,
    @Req() request: FastifyRequest,
  ) {
    const withContent = content === 'clear';
    if (withContent && !mayReadContent(principalOf(request)))
      throw contentForbidden(', or leave ?content=clear out for a page without text');
    const { revision } = await this.queries.execute(new ShowSession(ref));
    const moment = new Moment({ stream: streamOf(ref), revision });
    const answers = await moment.run(() => recordedAnswers(ref.session, this.#asking(request, withContent)));
    // The log has had the time of the answers to take the events that they show; later ones are not waited for.
    const proof = new ExportProof(ref, { content: withContent ? 'clear' : 'sealed', revision });
    const bundle = await collected(await this.queries.execute(proof));
    const recording = await markupJson({
      session: ref.session,
      recordedAt: new Date().toISOString(),
      withContent,
      proof: await sha256Of(bundle),
      answers,
    } satisfies Recording);
    const page = await pageOf({
      recording,
      bundle: await markupJson(bundle.join('')),
      signature: await markupJson(await this.#signed(ref, recording)),
    });
    if (withContent && moment.isOutdated)
      throw new AppError('erasure-in-progress', 'content was erased while the page was made: ask again');
    if (withContent) await this.reads.record(request, { method: 'GET', path: PATH });
    return new StreamableFile(Readable.from(page, { objectMode: false }), {
      type: 'text/html; charset=utf-8',
      length: page.reduce((sum, { length }) => sum + length, 0),
      disposition: `attachment; filename="${ref.session.replaceAll(':', '_')}.html"`,
    });
  }

  async #signed({ tenant }: SessionRef, { sha256 }: PageText): Promise<string> {
    const head = await this.engine.transparencyLogs.head(tenant);
    if (!head) throw new AppError('log-not-found', `the log of tenant "${tenant}" has no entry yet`);
    return head.sign(signedPageText(head.origin, sha256));
  }

  /** Asks this API with the rights of the caller, and without those to text if none is wanted. */
  #asking(request: FastifyRequest, withContent: boolean): Ask {
    const server: FastifyInstance = this.host.httpAdapter.getInstance();
    const headers = Object.fromEntries(
      FORWARDED.flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    if (!withContent) headers[CONTENT_HEADER] = 'none';
    return async (url) => {
      const { statusCode, body } = await server.inject({ method: 'GET', url, headers });
      if (statusCode === 200) return body;
      const { code, detail } = JSON.parse(body);
      if (code === 'content-forbidden') return undefined;
      throw new AppError(code, detail);
    };
  }
}

/** The data of a page, as JSON. */
type Parts = {
  readonly recording: PageText;
  readonly bundle: PageText;
  /** The log's signed note about the recording. */
  readonly signature: PageText;
};

/** Returns the console with a recorded session as one HTML document, which asks for nothing and sends nothing. */
const pageOf = async ({ recording, bundle, signature }: Parts): Promise<readonly Uint8Array[]> => {
  const script = (await readFile(consoleFile('console.js'), 'utf8')).replaceAll('</script', '<\\/script');
  const style = (await readFile(consoleFile('console.css'), 'utf8')).replaceAll('</style', '<\\/style');
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    // Positions of rows in long lists are styles of elements, which scripts set.
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const head = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>Palimpsest</title><style>${style}</style></head>`,
    '<body><div id="console"></div>',
    '<noscript>This page shows and verifies a session with JavaScript, without a network.</noscript>\n',
  ].join('\n');
  return [
    Buffer.from(head),
    ...dataOf('recording', recording),
    ...dataOf('proof', bundle),
    ...dataOf('signature', signature),
    Buffer.from(`<script type="module">${script}</script>\n</body></html>\n`),
  ];
};

const dataOf = (id: string, { pieces }: PageText): readonly Uint8Array[] => [
  Buffer.from(`<script id="${id}" type="application/json">`),
  ...pieces,
  Buffer.from('</script>\n'),
];

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Text as UTF-8 in pieces, and its SHA-256 as base64. */
type PageText = { readonly pieces: readonly Uint8Array[]; readonly sha256: string };

/**
 * Returns a value as JSON that markup can hold: no character of it ends a script. Written in slices, between which the
 * event loop serves other requests.
 */
const markupJson = async (value: unknown): Promise<PageText> => {
  const pieces: Uint8Array[] = [];
  const hash = createHash('sha256');
  const slices = new Slices();
  for (const chunk of await jsonChunks(value)) {
    const piece = withoutTags(chunk);
    hash.update(piece);
    pieces.push(piece);
    if (slices.isOver) await slices.next();
  }
  return { pieces, sha256: hash.digest('base64') };
};

const LESS_THAN = 0x3c;

/** Escapes `<` in JSON. In UTF-8 its byte is part of no other character. */
const withoutTags = (chunk: Uint8Array): Uint8Array =>
  chunk.includes(LESS_THAN)
    ? Buffer.from(Buffer.from(chunk).toString('latin1').replaceAll('<', '\\u003c'), 'latin1')
    : chunk;

/** Returns the SHA-256 of a text given in parts, as base64; computed in slices. */
const sha256Of = async (parts: Iterable<string>): Promise<string> => {
  const hash = createHash('sha256');
  const slices = new Slices();
  for (const part of parts) {
    hash.update(part);
    if (slices.isOver) await slices.next();
  }
  return hash.digest('base64');
};
