import { AppError } from '@app/kernel';
import type { TransparencyLogs } from '@app/ports';
import { Controller, Header, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { TRANSPARENCY_LOGS } from '../symbols.js';

const query = z.strictObject({
  quorum: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .exactOptional()
    .describe(
      'Number of witnesses that have cosigned the checkpoint at least; it can be older than the newest',
    ),
});

/** `GET /v1/log/checkpoint` */
@Controller()
export class LogCheckpointController {
  constructor(@Inject(TRANSPARENCY_LOGS) private readonly logs: TransparencyLogs) {}

  @Endpoint('GET', 'v1/log/checkpoint', {
    id: 'getLogCheckpoint',
    summary: "Returns the newest signed checkpoint of the tenant's transparency log.",
    roles: READERS,
    content: 'none',
    query,
    produces: 'text/plain',
    response: z.string().describe('A signed note (C2SP tlog-checkpoint)'),
    errors: ['log-not-found'],
  })
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async checkpoint(
    @Query(valid(query)) { quorum }: z.output<typeof query>,
    @CurrentCaller() { tenant }: ApiCaller,
  ): Promise<string> {
    const head = await this.logs.head(tenant);
    if (!head)
      throw new AppError(
        'log-not-found',
        `the log of tenant "${tenant}" has no entry yet: open a session first`,
      );
    if (quorum === undefined) return head.checkpoint;
    const cosigned = await this.logs.cosignedCheckpoint(tenant, quorum);
    if (cosigned !== undefined) return cosigned;
    throw new AppError(
      'log-not-found',
      `the log has no checkpoint that ${quorum} of its witnesses have cosigned: see GET /v1/log/witnesses, or ask for fewer`,
    );
  }
}
