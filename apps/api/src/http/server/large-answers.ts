import { Readable } from 'node:stream';
import { jsonChunks, weightOf } from '@app/kernel';
import type { FastifyInstance } from 'fastify';

/** From so many bytes on, an answer is written down in slices. */
const LARGE_BYTES = 131_072;

/** Lets other requests be served while a large answer is written down, and while it is sent. */
export const writeLargeAnswersInSlices = (server: FastifyInstance): void => {
  const written = new WeakMap<object, readonly Uint8Array[]>();
  server.addHook<unknown>('preSerialization', (request, reply, payload, done) => {
    if (weightOf(payload, LARGE_BYTES) < LARGE_BYTES) {
      done(null, payload);
      return;
    }
    jsonChunks(payload).then(
      (chunks) => {
        written.set(request, chunks);
        const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
        reply.header('content-length', bytes).serializer(() => '');
        done(null, payload);
      },
      (error) => done(error),
    );
  });
  server.addHook<unknown>('onSend', (request, _reply, payload, done) => {
    const chunks = written.get(request);
    done(null, chunks ? Readable.from(chunks) : payload);
  });
};
