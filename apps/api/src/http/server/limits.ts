import { isShallow } from '@app/formats';
import { HUGE_NUMBER, hasFiniteNumbers, isJsonObject, type Json, LIMITS } from '@app/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { InvalidRequest } from '../problems.js';

/** Rejects JSON bodies that are nested too deep or have a number that JSON cannot represent, before they are validated. */
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

/** Whether a body is parsed JSON, not a stream. */
const isDocument = (body: unknown): body is Json =>
  Array.isArray(body) || (isJsonObject(body) && !(Symbol.asyncIterator in body));
