import { VerifyLive } from '@app/application';
import { liveReport, verifiedHead } from '@app/contract';
import { Body, Controller, Inject } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const body = z.strictObject({
  policy: z
    .string()
    .max(100_000)
    .optional()
    .describe('Logs and witnesses to trust (C2SP tlog-policy); by default the keys that each log names'),
  remembered: z
    .array(verifiedHead)
    .max(10_000)
    .optional()
    .describe('Heads of an earlier verification, which the logs must continue'),
});
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
    response: liveReport,
    errors: ['postgres-unavailable', 'event-store-unavailable'],
  })
  verify(@Body(valid(body)) { policy, remembered }: z.output<typeof body>) {
    return this.queries.execute(
      new VerifyLive({ ...(policy !== undefined && { policy }), ...(remembered && { remembered }) }),
    );
  }
}
