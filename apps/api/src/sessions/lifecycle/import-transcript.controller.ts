import { FindSubjects } from '@app/application';
import { importResult } from '@app/contract';
import type { Message } from '@app/domain';
import { openTranscript } from '@app/formats';
import { type JsonObject, LIMITS, parseJsonObject, type TenantId } from '@app/kernel';
import { Controller, Inject, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Allowance, RateLimitExceeded } from '../../http/allowance/rate-limits.js';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { piecesOf } from '../../http/entry/bodies.js';
import { valid } from '../../http/valid.js';
import { agentName, givenLabels, project } from '../description.js';
import { WRITERS } from '../roles.js';
import { modelName, subjectName, subjectNames } from '../shapes.js';

const profile = z
  .string()
  .min(1)
  .max(65_536)
  .transform((given): string | JsonObject => parseJsonObject(given) ?? given);
const query = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .default('transcript')
    .describe('File name; the ID of a session whose transcript has none'),
  profile: profile.default('core').describe('Profile of the sessions: a name, or a profile as JSON'),
  window: z.coerce
    .number()
    .int()
    .min(0)
    .max(LIMITS.window.max)
    .exactOptional()
    .describe('Window of the sessions in tokens; their model’s by default'),
  model: modelName.exactOptional().describe('Model of the sessions; the transcript’s by default'),
  agent: agentName.exactOptional().describe('Agent program; the format’s by default'),
  project: project.exactOptional().describe('Project of the sessions; the transcript’s by default'),
  label: givenLabels.exactOptional(),
  subject: z
    .union([subjectName.transform((name) => [name]), subjectNames])
    .default([])
    .describe('Data subject of the messages; may be repeated'),
});

/** `POST /v1/imports` */
@Controller()
export class ImportTranscriptController extends BusController {
  @Inject(Allowance) private readonly allowance!: Allowance;

  @Endpoint('POST', 'v1/imports', {
    id: 'importTranscript',
    summary: 'Imports a transcript of any supported format and size.',
    roles: WRITERS,
    content: 'none',
    query,
    consumes: ['application/octet-stream', 'application/x-ndjson'],
    response: importResult,
    errors: [
      'unknown-format',
      'nothing-to-import',
      'session-diverged',
      'unknown-profile',
      'invalid-settings',
    ],
  })
  async import(
    @Req() request: FastifyRequest,
    @Query(valid(query)) { name, label, subject, ...facts }: z.output<typeof query>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const digest = await this.engine.keyedDigests.digester(tenant, 'import');
    const { format, items } = await openTranscript(piecesOf(request), { name, digest });
    const options = {
      tenant,
      ...facts,
      admit: (message: Message) => this.admit(tenant, message),
      ...(label && { labels: label }),
      ...(subject.length > 0 && {
        subjects: await this.queries.execute(new FindSubjects(tenant, subject)),
      }),
    };
    return this.engine.importer.import(format, items, options, { actor: caller.actor });
  }

  /** Counts only new messages, so that a rate-limited import makes progress with each attempt. */
  private async admit(tenant: TenantId, { blocks }: Message): Promise<void> {
    const verdict = await this.allowance.takeBytes(tenant, Buffer.byteLength(JSON.stringify(blocks)));
    if (verdict.exceeded === undefined) return;
    const more = `imported messages are kept, repeat the import in ${verdict.state.resetSeconds} s`;
    throw new RateLimitExceeded(verdict, verdict.exceeded, more);
  }
}
