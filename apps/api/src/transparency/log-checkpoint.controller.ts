import { AppError } from '@app/kernel';
import type { TransparencyLogs } from '@app/ports';
import { Controller, Header, Inject } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';
import { TRANSPARENCY_LOGS } from '../symbols.js';

/** `GET /v1/log/checkpoint` */
@Controller()
export class LogCheckpointController {
  constructor(@Inject(TRANSPARENCY_LOGS) private readonly logs: TransparencyLogs) {}

  @Endpoint('GET', 'v1/log/checkpoint', {
    id: 'getLogCheckpoint',
    summary: "Returns the newest signed checkpoint of the tenant's transparency log.",
    roles: READERS,
    content: 'none',
    produces: 'text/plain',
    response: z.string().describe('A signed note (C2SP tlog-checkpoint)'),
    errors: ['log-not-found'],
  })
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async checkpoint(@CurrentCaller() { tenant }: ApiCaller): Promise<string> {
    const head = await this.logs.head(tenant);
    if (head) return head.checkpoint;
    throw new AppError(
      'log-not-found',
      `the log of tenant "${tenant}" has no entry yet: open a session first`,
    );
  }
}
