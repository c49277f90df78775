import { jsonText, weightOf } from '@app/kernel';
import type { FastifyInstance } from 'fastify';

/** From so many bytes on, an answer is written down in slices. */
const LARGE_BYTES = 131_072;

/** Lets other requests be served while a large answer is written down. */
export const writeLargeAnswersInSlices = (server: FastifyInstance): void => {
  server.addHook<unknown>('preSerialization', (_request, reply, payload, done) => {
    if (weightOf(payload, LARGE_BYTES) < LARGE_BYTES) {
      done(null, payload);
      return;
    }
    jsonText(payload).then(
      (text) => {
        reply.serializer(() => text);
        done(null, payload);
      },
      (error) => done(error),
    );
  });
};
