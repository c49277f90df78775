import type { IncomingMessage, ServerResponse } from 'node:http';
import { invariant } from '@app/kernel';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** Adds helmet's headers to every answer. They are the same for all, so that they are computed once. */
export const sendSecurityHeaders = (http: FastifyInstance): void => {
  const headers = securityHeaders();
  http.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
};

const securityHeaders = (): Readonly<Record<string, string>> => {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => {
      headers.set(name.toLowerCase(), value);
    },
    removeHeader: () => undefined,
  };
  const add = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  // helmet reads nothing of the request, and calls only these two methods of the answer.
  add({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    invariant(error === undefined, 'the headers need no request');
  });
  return Object.fromEntries(headers);
};
