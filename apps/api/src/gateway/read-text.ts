import { Readable } from 'node:stream';
import { AppError } from '@app/kernel';
import type { FastifyRequest } from 'fastify';

/** The providers take no more either. */
const GATEWAY_BYTES_MAX = 32 * 1_048_576;

/** The body of a request, letter by letter. @throws {AppError} `append-too-large`, `unknown-format`. */
export const textIn = async ({ body }: FastifyRequest): Promise<string> => {
  if (!(body instanceof Readable))
    throw new AppError('unknown-format', 'send JSON, as content-type application/json');
  const pieces: Buffer[] = [];
  let bytes = 0;
  // It is answered all the same, where it is too large.
  for await (const piece of body.iterator({ destroyOnReturn: false })) {
    const buffer = Buffer.from(piece);
    bytes += buffer.length;
    if (bytes > GATEWAY_BYTES_MAX)
      throw new AppError('append-too-large', 'request exceeds the maximum size of 32 MB: send less in it');
    pieces.push(buffer);
  }
  return Buffer.concat(pieces).toString('utf8');
};
