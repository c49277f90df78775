import { Readable } from 'node:stream';
import { jsonChunks, weightOf } from '@app/kernel';
import type { FastifyInstance } from 'fastify';

/** Bytes from which an answer is serialized in slices; a smaller one takes a millisecond. */
const LARGE_BYTES = 524_288;

/** Serializes and sends large answers in slices, between which other requests are served. */
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
