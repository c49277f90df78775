import { ListLogWitnesses, RotateLogKey } from '@app/application';
import { logWitnesses } from '@app/contract';
import { AppError } from '@app/kernel';
import { Body, Controller, Header, Param, Query, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller, emptyBody } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';

const checkpointQuery = z.strictObject({
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

const rotatedLogKey = z
  .object({
    keys: z.array(z.string()).describe('The keys that sign from now on, as vkeys (C2SP signed-note)'),
  })
  .meta({ id: 'RotatedLogKey' });

/** `GET /v1/log/checkpoint`, `GET /v1/log/tile/:level/…`, `GET /v1/log/witnesses` and `POST /v1/log/rotate-key` */
@Controller()
export class LogController extends BusController {
  @Endpoint('GET', 'v1/log/checkpoint', {
    id: 'getLogCheckpoint',
    summary: "Returns the newest signed checkpoint of the tenant's transparency log.",
    roles: READERS,
    content: 'none',
    query: checkpointQuery,
    produces: 'text/plain',
    response: z.string().describe('A signed note (C2SP tlog-checkpoint)'),
    errors: ['log-not-found'],
  })
  @Header('content-type', 'text/plain; charset=utf-8')
  @Header('cache-control', 'no-cache')
  async checkpoint(
    @Query(valid(checkpointQuery)) { quorum }: z.output<typeof checkpointQuery>,
    @CurrentCaller() { tenant }: ApiCaller,
  ): Promise<string> {
    const head = await this.engine.transparencyLogs.head(tenant);
    if (!head)
      throw new AppError(
        'log-not-found',
        `the log of tenant "${tenant}" has no entry yet: open a session first`,
      );
    if (quorum === undefined) return head.checkpoint;
    const cosigned = await this.engine.transparencyLogs.cosignedCheckpoint(tenant, quorum);
    if (cosigned !== undefined) return cosigned;
    throw new AppError(
      'log-not-found',
      `the log has no checkpoint that ${quorum} of its witnesses have cosigned: see GET /v1/log/witnesses, or ask for fewer`,
    );
  }

  @Endpoint('GET', 'v1/log/tile/*', {
    id: 'getLogTile',
    summary: "Returns a tile of hashes or an entry bundle of the tenant's transparency log.",
    roles: READERS,
    content: 'none',
    produces: 'application/octet-stream',
    response: z.string().describe('Bytes of a tile or an entry bundle (C2SP tlog-tiles)'),
    errors: ['log-not-found'],
  })
  @Header('cache-control', 'private, max-age=31536000, immutable')
  async tile(@Param('*') rest: string, @CurrentCaller() { tenant }: ApiCaller) {
    const path = `tile/${rest}`;
    const bytes = await this.engine.transparencyLogs.tile(tenant, path);
    if (!bytes)
      throw new AppError(
        'log-not-found',
        `the log has no ${path}: give a tile of the tree of its checkpoint, such as tile/0/000`,
      );
    return new StreamableFile(bytes, { type: 'application/octet-stream', length: bytes.length });
  }

  @Endpoint('GET', 'v1/log/witnesses', {
    id: 'listLogWitnesses',
    summary:
      "Returns the witnesses of the tenant's transparency log, and the tree that each has cosigned last.",
    roles: READERS,
    content: 'none',
    response: logWitnesses,
    errors: ['log-not-found'],
  })
  witnesses(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ListLogWitnesses(tenant));
  }

  @Endpoint('POST', 'v1/log/rotate-key', {
    id: 'rotateLogKey',
    summary: "Replaces the key of the tenant's transparency log; older proofs stay valid.",
    roles: ['admin'],
    content: 'none',
    body: emptyBody,
    response: rotatedLogKey,
    errors: ['secret-unreadable', 'postgres-unavailable', 'event-store-unavailable'],
  })
  rotate(
    @Body(valid(emptyBody)) _: z.output<typeof emptyBody>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RotateLogKey(tenant, caller));
  }
}
