import { AppError } from '@app/kernel';
import { Controller, Header, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { BusController } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { ANY_TYPE, bytesOf, hasBody } from '../http/entry/bodies.js';

/** Limit of a request: a proof and a checkpoint with some ML-DSA-44 signatures fit. */
const BODY_BYTES_MAX = 65_536;
/** Each costs up to three signatures: the limits protect the tenants of this process. */
const PER_ADDRESS_A_SECOND = 20;
const OF_ALL_A_SECOND = 100;

const TEXT = 'text/plain; charset=utf-8';
const LIMIT = { duration: 1 } as const;

/** `/witness`: this installation as a witness for the logs of others (C2SP tlog-witness). Its logs are settings. */
@Controller()
export class WitnessController extends BusController {
  private readonly perAddress = new RateLimiterMemory({ ...LIMIT, points: PER_ADDRESS_A_SECOND });
  private readonly ofAll = new RateLimiterMemory({ ...LIMIT, points: OF_ALL_A_SECOND });

  @Endpoint('POST', 'witness/add-checkpoint', {
    id: 'addCheckpoint',
    summary: 'Cosigns a checkpoint of a log that this installation witnesses (C2SP tlog-witness).',
    roles: 'public',
    content: 'none',
    consumes: [ANY_TYPE],
    produces: 'text/plain',
    response: z
      .string()
      .describe(
        'Cosignatures, one per line. Errors are plain text: 404 for an unknown log, 403 for an unknown key, 409 with the size of the last cosigned tree, 422 for a wrong proof, 429 for too many requests',
      ),
    errors: ['append-too-large', 'request-timeout'],
  })
  async add(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!(await this.isWithinLimits(request.ip))) {
      void reply.status(429).headers({ 'content-type': TEXT, 'retry-after': '1' });
      return `more than ${PER_ADDRESS_A_SECOND} requests a second: try again\n`;
    }
    const sent = hasBody(request) ? await bytesOf(request, BODY_BYTES_MAX) : '';
    const { status, type, body } = await this.engine.ownWitness.addCheckpoint(sent.toString());
    void reply.status(status).header('content-type', type);
    return body;
  }

  @Endpoint('GET', 'witness/:origin/checkpoint', {
    id: 'getWitnessedCheckpoint',
    summary: 'Returns the checkpoint of a log that this installation has cosigned last.',
    roles: 'public',
    content: 'none',
    produces: 'text/plain',
    response: z.string().describe('A signed note; `origin` is the SHA-256 of the log’s origin, hexadecimal'),
    errors: ['log-not-found'],
  })
  @Header('content-type', TEXT)
  async checkpoint(@Param('origin') origin: string): Promise<string> {
    const checkpoint = await this.engine.ownWitness.checkpoint(origin);
    if (checkpoint !== undefined) return checkpoint;
    throw new AppError(
      'log-not-found',
      'no checkpoint of this log was cosigned: give the SHA-256 of its origin, hexadecimal',
    );
  }

  @Endpoint('GET', 'witness', {
    id: 'getWitnessKeys',
    summary: "Returns the keys of this installation's witness as vkeys, one per line.",
    roles: 'public',
    content: 'none',
    produces: 'text/plain',
    response: z.string().describe('vkeys (C2SP signed-note): Ed25519 and ML-DSA-44'),
    errors: ['log-not-found'],
  })
  @Header('content-type', TEXT)
  async keys(): Promise<string> {
    const keys = await this.engine.ownWitness.keys();
    if (keys.length > 0) return keys.map((key) => `${key}\n`).join('');
    throw new AppError('log-not-found', 'this installation witnesses no log: set PALIMPSEST_WITNESS_LOGS');
  }

  private async isWithinLimits(address: string): Promise<boolean> {
    try {
      await this.perAddress.consume(address);
      await this.ofAll.consume('all');
      return true;
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return false;
      throw refused;
    }
  }
}
