import type { ErrorCode } from '@app/kernel';
import type { Role } from '@app/ports';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import type { ContentOfAnswer } from './content/content.js';
import { holdsSecret } from './shown-once.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type EndpointOptions = {
  /** The operation ID: a verb and a noun. Generated clients name functions by it, so it never changes. */
  readonly id: string;
  /** One sentence: what it does. */
  readonly summary: string;
  /** Whose keys may call it; `public` for anybody, without a key. */
  readonly roles: readonly Role[] | 'public';
  /** The text that people and models wrote, in its answer. */
  readonly content: ContentOfAnswer;
  /** Of everybody's service, not of one tenant's part of it: keys of the operator's tenant alone open it. */
  readonly ofOperator?: boolean;
  /** Its body is of messages that are appended: they count for the tenant's limit of tokens. */
  readonly appends?: boolean;
  /** Of an answer that is no error; 200 where it is not given. */
  readonly status?: number;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Request headers of this endpoint alone. */
  readonly headers?: z.ZodObject;
  readonly response: z.ZodType;
  /** Another status that the same answer may come with. */
  readonly alsoStatus?: number;
  /** Of an answer that is no JSON document, of which `response` is one line. */
  readonly produces?: string | readonly string[];
  /** Of a body that is no JSON document, and is read as it comes. */
  readonly consumes?: readonly string[];
  /** Records nothing, whatever its method. */
  readonly isRead?: boolean;
  /** The answer is that of one revision of a session: its `revision`. */
  readonly isRevisioned?: boolean;
  /** Speaks this provider's API, credentials and errors included: the body is read as it comes, and passed on. */
  readonly speaks?: 'anthropic' | 'openai';
  /** The refusals that callers of this endpoint must be ready for, besides those of every endpoint. */
  readonly errors?: readonly ErrorCode[];
};

export type EndpointFacts = EndpointOptions & {
  readonly method: Method;
  readonly path: string;
  /** The answer holds what is {@link SHOWN_ONCE}: it is not kept for a request that is sent again. */
  readonly isSecret: boolean;
};

const ENDPOINT = 'palimpsest:endpoint';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route's controller declares; `undefined` for a route that is none of the API's. */
    readonly endpoint?: EndpointFacts;
  }
}

/**
 * One verb of the API, said once: its route, who may call it, and the shapes that go in and out. Validation, access
 * and OpenAPI all come from here.
 */
export const Endpoint = (method: Method, path: string, options: EndpointOptions) => {
  const endpoint: EndpointFacts = { ...options, method, path, isSecret: holdsSecret(options.response) };
  return applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(options.status ?? 200),
    SetMetadata(ENDPOINT, endpoint),
    RouteConfig({ endpoint }),
  );
};

/** What an endpoint said of itself; `undefined` for a handler that is none. */
export const endpointOf = (handler: object): EndpointFacts | undefined =>
  Reflect.getMetadata(ENDPOINT, handler);

/** Whether it may record something: then it takes an Idempotency-Key. */
export const isWrite = ({ method, isRead, speaks, roles }: EndpointFacts): boolean =>
  method !== 'GET' && !isRead && speaks === undefined && roles !== 'public';

/** Whether it writes to one session: then it takes the revision that its caller takes that to be at. */
export const isSessionWrite = (endpoint: EndpointFacts): boolean =>
  isWrite(endpoint) && endpoint.path.includes(':session');
