import { Readable } from 'node:stream';
import { ExportProof } from '@app/application';
import { Controller, Inject, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from '../http/access.guard.js';
import { contentForbidden, mayReadContent } from '../http/content/content.js';
import { ContentReads } from '../http/content/content-reads.js';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { started } from '../http/started.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';

const query = z.strictObject({
  content: z
    .enum(['clear', 'sealed'])
    .default('clear')
    .describe(
      '`clear`: with text, which needs `content:read`; `sealed`: encrypted, for a proof without text',
    ),
  since: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('Adds a proof that the log continues its tree of this size'),
});
const PATH = 'v1/sessions/:session/proof';

/** `GET /v1/sessions/:session/proof` */
@Controller()
export class ExportProofController extends BusController {
  @Inject(ContentReads) private readonly reads!: ContentReads;

  @Endpoint('GET', 'v1/sessions/:session/proof', {
    id: 'exportProof',
    summary: 'Exports the proof bundle of a session, which `palimpsest verify` verifies offline.',
    roles: READERS,
    content: 'streamed',
    query,
    produces: 'application/x-ndjson',
    response: z
      .looseObject({ form: z.string() })
      .describe('The first line; the form is in docs/guides/proofs.md'),
    errors: [
      'session-not-found',
      'content-forbidden',
      'position-ahead',
      'log-behind',
      'log-not-found',
      'erasure-in-progress',
    ],
  })
  async export(
    @Query(valid(query)) options: z.output<typeof query>,
    @CurrentCaller() { ref }: ApiCaller,
    @Req() request: FastifyRequest,
  ) {
    if (options.content === 'clear' && !mayReadContent(principalOf(request)))
      throw contentForbidden(', or add ?content=sealed for a proof without text');
    const lines = await this.queries.execute(new ExportProof(ref, options));
    if (options.content === 'clear') await this.reads.record(request, { method: 'GET', path: PATH });
    return new StreamableFile(Readable.from(await started(lines), { objectMode: false }), {
      type: 'application/x-ndjson',
      disposition: `attachment; filename="${ref.session.replaceAll(':', '_')}.palimpsest"`,
    });
  }
}
