import { VerifyLive } from '@app/application';
import { Body, Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const head = z
  .strictObject({
    origin: z.string().min(1),
    size: z.int().min(0),
    root: z.string().describe('32 bytes, base64'),
    keys: z.array(z.string()).describe('vkeys (C2SP signed-note)'),
  })
  .meta({ id: 'VerifiedHead' });
const body = z.strictObject({
  policy: z
    .string()
    .max(100_000)
    .optional()
    .describe('Logs and witnesses to trust (C2SP tlog-policy); by default the keys that each log names'),
  remembered: z
    .array(head)
    .max(10_000)
    .optional()
    .describe('Heads of an earlier verification, which the logs must continue'),
});
const outcome = ['invalid', 'incomplete', 'unknown-key', 'malformed'] as const;
const response = z
  .object({
    outcome: z.enum(['valid', ...outcome]),
    logs: z.int(),
    leaves: z.int(),
    events: z.int().describe('Events that are as their logs have them'),
    newerEvents: z.int().describe('Events that no signed checkpoint contains yet'),
    tables: z.int(),
    rows: z.int(),
    findings: z
      .array(
        z
          .object({
            part: z.enum(['log', 'events', 'rows']),
            outcome: z.enum(outcome),
            tenant: z.string().nullable(),
            detail: z.string(),
          })
          .meta({ id: 'LiveFinding' }),
      )
      .describe('At most 1,000'),
    findingCount: z.int(),
    heads: z.array(head).describe('The newest head of each log without a finding, to be remembered'),
  })
  .meta({ id: 'LiveReport' });

/** `POST /v1/log/verification` */
@Controller()
export class VerifyLiveController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('POST', 'v1/log/verification', {
    id: 'verifyLive',
    summary: 'Verifies every event and row of the installation against its transparency logs.',
    roles: ['operator', 'admin', 'auditor'],
    content: 'none',
    operatorOnly: true,
    body,
    isRead: true,
    response,
    errors: ['postgres-unavailable', 'event-store-unavailable'],
  })
  verify(@Body(valid(body)) { policy, remembered }: z.output<typeof body>) {
    return this.queries.execute(
      new VerifyLive({ ...(policy !== undefined && { policy }), ...(remembered && { remembered }) }),
    );
  }
}
