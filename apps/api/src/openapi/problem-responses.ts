import type { ErrorCode, JsonObject } from '@app/kernel';
import { type EndpointFacts, isSessionWrite, isWrite } from '../http/endpoint.js';
import { PROBLEM_MEMBERS, problem, retryAfterSecondsOf, statusOf } from '../http/problems.js';
import { type Components, headerRefs } from './components.js';

/** Codes of any request: malformed HTTP or path, and defects. */
const COMMON_CODES: readonly ErrorCode[] = ['invalid-request', 'internal'];
/** Codes of requests with a key, before their handler runs. */
const KEY_CODES: readonly ErrorCode[] = [
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'event-store-unavailable',
];
/** Codes of methods that may have a body. */
const BODY_CODES: readonly ErrorCode[] = [
  'append-too-large',
  'unknown-format',
  'request-timeout',
  'overloaded',
];
const WRITE_CODES: readonly ErrorCode[] = [
  'idempotency-key-reused',
  'request-in-progress',
  'concurrency-conflict',
  'disk-full',
  'postgres-unavailable',
  'erasure-in-progress',
];

const codesOf = (endpoint: EndpointFacts): readonly ErrorCode[] => [
  ...new Set([
    ...COMMON_CODES,
    ...(endpoint.roles === 'public' ? [] : KEY_CODES),
    ...(endpoint.method === 'GET' ? [] : BODY_CODES),
    ...(isWrite(endpoint) ? WRITE_CODES : []),
    ...(isSessionWrite(endpoint) ? (['revision-mismatch'] as const) : []),
    ...(endpoint.path.includes(':') ? (['invalid-id'] as const) : []),
    ...(endpoint.content === 'text' || endpoint.content === 'request'
      ? (['content-forbidden'] as const)
      : []),
    ...(endpoint.errors ?? []),
  ]),
];

/** Returns the error responses of an endpoint by their status. */
export const problemResponses = (endpoint: EndpointFacts, components: Components): JsonObject => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codesOf(endpoint)].sort())
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      endpoint.provider
        ? providerProblem(endpoint.provider, status, codes, components)
        : ownProblem(status, codes, components),
    ]),
  );
};

const ownProblem = (status: number, codes: readonly ErrorCode[], components: Components): JsonObject =>
  components.refer('responses', codes.map(pascal).join('Or'), () => ({
    description: described(codes),
    headers: headerRefs(components, headersOfProblem(status, codes)),
    content: { 'application/problem+json': { schema: problemSchema(codes, components) } },
  }));

const described = (codes: readonly ErrorCode[]): string =>
  `Problem ${codes.map((code) => `\`${code}\``).join(', ')}.`;

const headersOfProblem = (status: number, codes: readonly ErrorCode[]): readonly string[] => [
  'X-Request-Id',
  ...(status === 401 ? ['WWW-Authenticate'] : []),
  ...(codes.includes('rate-limited') ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
  ...(codes.some((code) => retryAfterSecondsOf(code) !== undefined) ? ['Retry-After'] : []),
];
/** Uses one component for each code, so that generated clients narrow a problem by its `code`. */
const problemSchema = (codes: readonly ErrorCode[], components: Components): JsonObject => {
  const refs = codes.map((code) => [code, codeSchema(code, components)] as const);
  if (refs.length === 1) return refs[0]?.[1] ?? {};
  return {
    oneOf: refs.map(([, ref]) => ref),
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries(refs.map(([code, { $ref }]) => [code, $ref])),
    },
  };
};

const codeSchema = (code: ErrorCode, components: Components): JsonObject =>
  components.refer('schemas', `${pascal(code)}Problem`, () => {
    const members = PROBLEM_MEMBERS[code];
    return {
      description: `[Meaning and remedies](/errors/${code})`,
      allOf: [
        components.named('Problem', problem, 'output'),
        { type: 'object', required: ['code'], properties: { code: { const: code } } },
        ...(members ? [components.named(`${pascal(code)}Facts`, members, 'output')] : []),
      ],
    };
  });

/** Gateway errors have the form that the provider's clients read. */
const providerProblem = (
  provider: 'anthropic' | 'openai',
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
): JsonObject => ({
  description: `${described(codes)} Or the provider’s own error.`,
  headers: headerRefs(components, headersOfProblem(status, codes)),
  content: {
    'application/json': {
      schema: components.refer('schemas', provider === 'anthropic' ? 'AnthropicError' : 'OpenAiError', () =>
        provider === 'anthropic' ? ANTHROPIC_ERROR : OPENAI_ERROR,
      ),
    },
  },
});

const text: JsonObject = { type: 'string' };
const ANTHROPIC_ERROR: JsonObject = {
  type: 'object',
  description: 'An error in Anthropic’s form.',
  required: ['type', 'error'],
  properties: {
    type: { const: 'error' },
    error: { type: 'object', required: ['type', 'message'], properties: { type: text, message: text } },
  },
};
const OPENAI_ERROR: JsonObject = {
  type: 'object',
  description: 'An error in OpenAI’s form.',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'type'],
      properties: { message: text, type: text, code: { type: ['string', 'null'] } },
    },
  },
};

/** `session-not-found` as `SessionNotFound`. */
const pascal = (code: string): string =>
  code.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
