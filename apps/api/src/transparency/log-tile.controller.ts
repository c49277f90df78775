import { AppError } from '@app/kernel';
import type { TransparencyLogs } from '@app/ports';
import { Controller, Header, Inject, Param, StreamableFile } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';
import { TRANSPARENCY_LOGS } from '../symbols.js';

/** `GET /v1/log/tile/:level/…` */
@Controller()
export class LogTileController {
  constructor(@Inject(TRANSPARENCY_LOGS) private readonly logs: TransparencyLogs) {}

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
    const bytes = await this.logs.tile(tenant, path);
    if (!bytes)
      throw new AppError(
        'log-not-found',
        `the log has no ${path}: give a tile of the tree of its checkpoint, such as tile/0/000`,
      );
    return new StreamableFile(bytes, { type: 'application/octet-stream', length: bytes.length });
  }
}
