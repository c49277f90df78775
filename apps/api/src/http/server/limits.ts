import { isShallow } from '@app/formats';
import { isJsonObject, type Json } from '@app/kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { InvalidRequest } from '../problems.js';

/** Refuses JSON that is nested deeper than anything behind it can bear, before anything looks at it. */
export const refuseDeepBodies = (app: NestFastifyApplication): void => {
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preValidation', (request, _, done) => {
      const { body } = request;
      if (!isDocument(body) || isShallow(body)) done();
      else done(new InvalidRequest([{ at: 'body', problem: 'it is nested too deep' }]));
    });
};

/** What came as JSON; a stream is nothing yet. */
const isDocument = (body: unknown): body is Json =>
  Array.isArray(body) || (isJsonObject(body) && !(Symbol.asyncIterator in body));
