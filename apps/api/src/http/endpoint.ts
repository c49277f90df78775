import { type ErrorCode, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Role } from '@app/ports';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBearerAuth,
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiProduces,
  ApiQuery,
  ApiResponse,
} from '@nestjs/swagger';
import { z } from 'zod';
import { CONTENT_READ, type ContentOfAnswer, REASON_HEADER, REASON_MAX } from './content/content.js';
import { statusOf } from './problems.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type EndpointOptions = {
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
  readonly response: z.ZodType;
  /** Another status that the same answer may come with. */
  readonly alsoStatus?: number;
  /** Of an answer that is no JSON document, of which `response` is one line. */
  readonly produces?: string;
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

/** Of a member of an answer that nobody is told again; an extension of OpenAPI, so that its readers see it too. */
export const SHOWN_ONCE = { 'x-shown-once': true };

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
  const { summary, roles, status = 200, alsoStatus, body, errors = [] } = options;
  const isSecret = isMarked(jsonSchemaOf(options.response, 'output'));
  const endpoint: EndpointFacts = { ...options, method, path, isSecret };
  return applyDecorators(
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(status),
    SetMetadata(ENDPOINT, endpoint),
    RouteConfig({ endpoint }),
    ApiOperation({ summary, tags: [subjectOf(path)], ...contentOf(options) }),
    ...parametersOf(path, options),
    ...(body ? [ApiBody({ schema: jsonSchemaOf(body, 'input') })] : []),
    ...answersOf(alsoStatus === undefined ? [status] : [status, alsoStatus], options),
    ...conditionsOf(endpoint),
    ...readingOf(options),
    ...problemsOf([...errors, ...conditionErrors(endpoint), ...contentErrors(options)]),
    ...(roles === 'public' ? [] : [ApiBearerAuth()]),
  );
};

/** What an endpoint is about, as its route says: the description of the API groups endpoints by it. */
const subjectOf = (path: string): string => {
  const segments = path.replace(/^v1\//, '').split('/');
  return segments.includes('compactions') ? 'compactions' : (segments[0] ?? '');
};

/** What goes in besides a JSON body. */
const parametersOf = (path: string, { query, consumes }: EndpointOptions) => [
  ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ApiParam({ name, schema: { type: 'string' } })),
  ...Object.entries(query?.shape ?? {}).map(([name, schema]) =>
    ApiQuery({ name, schema: jsonSchemaOf(schema, 'input'), required: !isOptional(schema) }),
  ),
  ...(consumes ? [ApiConsumes(...consumes), ApiBody({ schema: { type: 'string', format: 'binary' } })] : []),
];

const answersOf = (statuses: readonly number[], { response, produces }: EndpointOptions) => [
  ...statuses.map((status) =>
    ApiResponse({ status, description: 'What was asked for.', schema: jsonSchemaOf(response, 'output') }),
  ),
  ...(produces === undefined ? [] : [ApiProduces(produces)]),
];

/** What an endpoint said of itself; `undefined` for a handler that is none. */
export const endpointOf = (handler: object): EndpointFacts | undefined =>
  Reflect.getMetadata(ENDPOINT, handler);

/** Whether it may record something: then it takes an Idempotency-Key. */
export const isWrite = ({ method, isRead, speaks, roles }: EndpointFacts): boolean =>
  method !== 'GET' && !isRead && speaks === undefined && roles !== 'public';

/** Whether it writes to one session: then it takes the revision that its caller takes that to be at. */
export const isSessionWrite = (endpoint: EndpointFacts): boolean =>
  isWrite(endpoint) && endpoint.path.includes(':session');

/** Headers by which a caller says what he takes for granted. */
const conditionsOf = (endpoint: EndpointFacts) => [
  ...(isWrite(endpoint)
    ? [
        ApiHeader({
          name: 'Idempotency-Key',
          description: 'Carries the request out once, however often it is sent',
        }),
      ]
    : []),
  ...(isSessionWrite(endpoint)
    ? [ApiHeader({ name: 'If-Match', description: 'The revision that the session must be at, in quotes' })]
    : []),
  ...(endpoint.isRevisioned
    ? [ApiHeader({ name: 'If-None-Match', description: 'A revision in quotes: 304 where it is still that' })]
    : []),
];

/** How its description says what text the answer has; an extension of OpenAPI, so that programs see it too. */
const contentOf = ({ content }: EndpointOptions) =>
  content === 'none' ? {} : { description: describedContent(content), 'x-content': content };

const describedContent = (content: Exclude<ContentOfAnswer, 'none'>): string => {
  if (content === 'text')
    return `Takes a key with the permission \`${CONTENT_READ}\`; each read is recorded.`;
  if (content === 'request')
    return `Takes a key with the permission \`${CONTENT_READ}\`; \`RequestComposed\` records who composed it.`;
  if (content === 'streamed')
    return `Text is left out for keys without the permission \`${CONTENT_READ}\`; each read of text is recorded.`;
  const members = content.in.map((path) => `\`${path}\``).join(', ');
  return `Without the permission \`${CONTENT_READ}\`, ${members} is left out and \`withheld\` names it; each read of text is recorded.`;
};

/** Whether reads of its text are recorded, with the reason that the caller gives. */
const readingOf = ({ content }: EndpointOptions) =>
  content === 'none' || content === 'request'
    ? []
    : [
        ApiHeader({
          name: REASON_HEADER,
          required: false,
          description: `Why text is read, for the audit: at most ${REASON_MAX} characters, percent-encoded where they are not ASCII`,
        }),
      ];

const contentErrors = ({ content }: EndpointOptions): readonly ErrorCode[] =>
  content === 'text' || content === 'request' ? ['content-forbidden'] : [];

/** The refusals that stand behind those headers. */
const conditionErrors = (endpoint: EndpointFacts): readonly ErrorCode[] => [
  ...(isWrite(endpoint) ? (['idempotency-key-reused', 'request-in-progress'] as const) : []),
  ...(isSessionWrite(endpoint) ? (['revision-mismatch'] as const) : []),
];

/** Each status once, with the codes that it may carry. */
const problemsOf = (errors: readonly ErrorCode[]) => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errors) byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return [...byStatus].map(([status, codes]) =>
    ApiResponse({ status, description: codes.map((code) => `\`${code}\``).join(', ') }),
  );
};

/** A zod schema in the words of OpenAPI 3.1, which are those of JSON Schema. */
const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return JSON.parse(JSON.stringify(rest));
};

const isMarked = (schema: Json): boolean => {
  if (Array.isArray(schema)) return schema.some((one: Json) => isMarked(one));
  if (!isJsonObject(schema)) return false;
  return schema['x-shown-once'] === true || Object.values(schema).some((one) => isMarked(one ?? null));
};

const isOptional = (schema: unknown): boolean =>
  schema instanceof z.ZodType && schema.safeParse(undefined).success;
