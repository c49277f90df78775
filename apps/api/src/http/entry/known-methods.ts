import { AppError } from '@app/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Refuses requests whose path has routes for other methods only. */
export class KnownMethods {
  readonly #routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  /** Collects the endpoints that are registered on `server` from now on. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method, config }) => {
      if (config?.endpoint) this.#routes.push({ pattern: patternOf(url), methods: [method].flat() });
    });
  }

  /** @throws {AppError} `method-not-allowed`; the answer names the valid methods in `Allow`. */
  refuse({ url, method, is404 }: FastifyRequest, reply: FastifyReply): void {
    if (!is404) return;
    const [path = ''] = url.split('?', 1);
    const found = this.#routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    if (found.length === 0) return;
    const allowed = [...new Set(found)].sort().join(', ');
    void reply.header('allow', allowed);
    throw new AppError('method-not-allowed', `this path has no ${method}: use ${allowed}`);
  }
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^$()[\]{}|\\]/g, '\\$&')
      .replace(/:\w+/g, '[^/]+')
      .replace(/\*/g, '.*')}$`,
  );
