import { VerifyLive } from '@app/application';
import { liveReport, verifiedHead } from '@app/contract';
import { AppError } from '@app/kernel';
import { Body, Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { whenKeyEnds } from '../http/access.guard.js';
import { BusController } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const body = z.strictObject({
  policy: z
    .string()
    .max(100_000)
    .exactOptional()
    .describe('Logs and witnesses to trust (C2SP tlog-policy); by default the keys that each log names'),
  remembered: z
    .array(verifiedHead)
    .max(10_000)
    .exactOptional()
    .describe('Heads of an earlier verification, which the logs must continue'),
});
/** `POST /v1/log/verification` */
@Controller()
export class VerifyLiveController extends BusController {
  @Endpoint('POST', 'v1/log/verification', {
    id: 'verifyLive',
    summary:
      'Verifies every event and row of the installation against its transparency logs. One verification runs at a time, and ends if its caller disconnects.',
    roles: ['operator', 'admin', 'auditor'],
    content: 'none',
    operatorOnly: true,
    body,
    isRead: true,
    response: liveReport,
    errors: ['request-in-progress', 'postgres-unavailable', 'event-store-unavailable'],
  })
  verify(
    @Body(valid(body)) trust: z.output<typeof body>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const ended = new AbortController();
    reply.raw.once('close', () =>
      ended.abort(new AppError('request-timeout', 'the caller has closed the connection')),
    );
    whenKeyEnds(request, reply.raw, () =>
      ended.abort(
        new AppError('unauthenticated', 'the API key was revoked or has expired: give a valid one'),
      ),
    );
    return this.queries.execute(new VerifyLive(trust, undefined, ended.signal));
  }
}
