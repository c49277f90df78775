import { isShallow } from '@app/formats';
import { HUGE_NUMBER, hasFiniteNumbers, isJsonObject, type Json, LIMITS } from '@app/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { InvalidRequest } from '../problems.js';

/**
 * Refuses JSON that is nested deeper than anything behind it can bear, or has a number that could not be written down, before
 * anything looks at it.
 */
export const refuseUnusableBodies = (app: NestFastifyApplication): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preValidation', (request, _, done) => {
      const { body } = request;
      const problem = isDocument(body) ? faultOf(body) : undefined;
      done(
        problem === undefined ? undefined : new InvalidRequest([{ at: 'body', problem: `it ${problem}` }]),
      );
    });
};

const faultOf = (body: Json): string | undefined => {
  if (!isShallow(body)) return `is nested deeper than ${LIMITS.depth.max} levels`;
  return hasFiniteNumbers(body) ? undefined : HUGE_NUMBER;
};

/** What came as JSON; a stream is nothing yet. */
const isDocument = (body: unknown): body is Json =>
  Array.isArray(body) || (isJsonObject(body) && !(Symbol.asyncIterator in body));
