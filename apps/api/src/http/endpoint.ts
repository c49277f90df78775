import type { Shape } from '@app/contract';
import type { ErrorCode } from '@app/kernel';
import type { Role } from '@app/ports';
import {
  applyDecorators,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type StreamableFile,
} from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import type { ContentOfAnswer } from './content/content.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type EndpointOptions = {
  /** The operation ID: a verb and a noun. Generated clients name functions by it, so it never changes. */
  readonly id: string;
  /** One sentence in the third person. */
  readonly summary: string;
  /** Roles of keys that may call it; `public` requires no key. */
  readonly roles: readonly Role[] | 'public';
  readonly content: ContentOfAnswer;
  /** Requires a key of the operator's tenant, since it concerns the whole service. */
  readonly operatorOnly?: boolean;
  /** The body appends messages, which count towards the tenant's token limit. */
  readonly appends?: boolean;
  /** Status of success; 200 by default. */
  readonly status?: number;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Request headers specific to this endpoint. */
  readonly headers?: z.ZodObject;
  readonly response: z.ZodType;
  /** Another status that the same answer may come with. */
  readonly alsoStatus?: number;
  /** Media types of an answer that is not a JSON document; `response` describes one line of it. */
  readonly produces?: string | readonly string[];
  /** Media types of a body that is not a JSON document; the handler reads it as a stream. */
  readonly consumes?: readonly string[];
  /**
   * The handler takes the conditions of the request into account, and no interceptor does: for the most frequent requests. It
   * records nothing but events of sessions, so that it may decide on them before its `Idempotency-Key` is claimed.
   */
  readonly answersItself?: boolean;
  /** Records nothing, although the method is not GET. */
  readonly isRead?: boolean;
  /** The answer describes one revision of a session, its member `revision`. */
  readonly isRevisioned?: boolean;
  /** Implements this provider's API with its credentials and errors; the handler reads the body as bytes. */
  readonly provider?: 'anthropic' | 'openai';
  /** Error codes of this endpoint, besides those of every endpoint. */
  readonly errors?: readonly ErrorCode[];
};

export type EndpointFacts = EndpointOptions & {
  readonly method: Method;
  readonly path: string;
};

const ENDPOINT = 'palimpsest:endpoint';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Declaration of the route's handler; `undefined` for routes outside the API. */
    readonly endpoint?: EndpointFacts;
  }
}

/** A shape in which optional members may be `undefined`, which JSON omits. */
type Written<Type> = unknown extends Type
  ? unknown
  : Type extends string | number | boolean | null
    ? Type
    : Type extends readonly (infer Item)[]
      ? readonly Written<Item>[]
      : {
          readonly [Key in keyof Type]:
            | Written<Type[Key]>
            | (object extends Pick<Type, Key> ? undefined : never);
        };
/** The return types of handlers: the answer, its stored bytes, a stream of it, or nothing if they write it to the reply. */
type Answer<Value> = Written<Value> | Buffer | StreamableFile | undefined;

/**
 * Declares an operation of the API: its route, roles and shapes. Access control, validation, OpenAPI and the client's types
 * derive from it. A handler that does not return the shape of the answer does not compile.
 */
export const Endpoint = <Response extends z.ZodType>(
  method: Method,
  path: string,
  options: EndpointOptions & { readonly response: Response },
): (<
  Handler extends (
    ...given: never[]
  ) => Answer<Shape<Response>> | Promise<Answer<Shape<Response>>> | Promise<void>,
>(
  prototype: object,
  name: string | symbol,
  handler: TypedPropertyDescriptor<Handler>,
) => void) => {
  const endpoint: EndpointFacts = { ...options, method, path };
  return applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(options.status ?? 200),
    SetMetadata(ENDPOINT, endpoint),
    RouteConfig({ endpoint }),
  );
};

/** Returns the declaration of a handler; `undefined` if it has none. */
export const endpointOf = (handler: object): EndpointFacts | undefined =>
  Reflect.getMetadata(ENDPOINT, handler);

/** Whether the endpoint may record events, and so accepts an `Idempotency-Key`. */
export const isWrite = ({ method, isRead, provider, roles }: EndpointFacts): boolean =>
  method !== 'GET' && !isRead && provider === undefined && roles !== 'public';

/** Whether the endpoint writes to one session, and so accepts its expected revision as `If-Match`. */
export const isSessionWrite = (endpoint: EndpointFacts): boolean =>
  isWrite(endpoint) && endpoint.path.includes(':session');

/** Header of gateway answers with the ID of the session. */
export const SESSION_HEADER = 'x-palimpsest-session';
