import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayCall, PassedCall } from '@app/application';
import { isShallow, type KnownHistories, wireOf } from '@app/formats';
import {
  AppError,
  defined,
  HUGE_NUMBER,
  hasFiniteNumbers,
  holdsServiceKey,
  isJsonObject,
  type JsonObject,
  LIMITS,
  ownMember,
  parseJsonObject,
  SessionId,
  type SubjectRef,
} from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { clientKeyIn } from '../http/access.guard.js';
import { CONTENT_HEADER, REASON_HEADER } from '../http/content/content.js';
import type { ApiCaller } from '../http/controller.js';
import { bytesOf } from '../http/entry/bodies.js';
import { documentIn, requireUtf8 } from '../http/entry/json-document.js';
import { InvalidRequest } from '../http/problems.js';
import { valid } from '../http/valid.js';
import { withIdentity } from '../sessions/description.js';
import { gatewayHeaders } from './headers.js';

type CallOptions = Pick<GatewayCall, 'wire' | 'take' | 'signal'> & {
  readonly profile: string;
  readonly recallByDefault: boolean;
  readonly histories: KnownHistories;
  /** Returns the fingerprints of subjects by their names. */
  readonly subjectsOf: (names: readonly string[]) => Promise<readonly SubjectRef[]>;
};

/** Returns a request that the gateway forwards unchanged. @throws {AppError} `route-not-found`. */
export const forwardedCallFrom = (
  request: FastifyRequest,
  { tenant }: ApiCaller,
  options: Pick<PassedCall, 'wire' | 'signal'>,
): PassedCall => ({
  tenant,
  ...options,
  path: upstreamPath(request.url, clientKeyIn(request)),
  ...forwardedHeaders(request),
});

/** Reads a request that the gateway composes anew. @throws {AppError} `invalid-request`, `append-too-large`, `unknown-format`. */
export const callFrom = async (
  request: FastifyRequest,
  apiCaller: ApiCaller,
  { wire, profile, recallByDefault, histories, subjectsOf, take, signal }: CallOptions,
): Promise<GatewayCall> => {
  const given = await valid(gatewayHeaders).transform(ownHeaders(request), { type: 'custom' });
  const { 'x-palimpsest-session': session, 'x-palimpsest-window': window } = given;
  const { 'x-palimpsest-subjects': subjects, 'x-palimpsest-recall': recall } = given;
  const { 'x-palimpsest-project': project, 'x-palimpsest-title': title } = given;
  const { 'x-palimpsest-user': user, 'x-palimpsest-customer': customer } = given;
  const labels = withIdentity<string>(defined({ user, customer }), given['x-palimpsest-labels']);
  const agent = given['x-palimpsest-agent'] ?? agentIn(request.headers['user-agent']);
  const { 'x-palimpsest-override': override, 'x-palimpsest-ladder': ladder } = given;
  const bytes = await bytesOf(request);
  requireUtf8(bytes);
  const text = bytes.toString('utf8');
  const owner = `${apiCaller.tenant} ${wire}`;
  const { body, ranges } = await histories.read(owner, wireOf(wire), { text, bytes }, (part) =>
    bodyIn(part ? Buffer.from(part.text) : bytes, part?.valuesBeside),
  );
  const agentSession = agentSessionIn(request.headers, body);
  return {
    ...forwardedCallFrom(request, apiCaller, { wire, signal }),
    text,
    bytes,
    body,
    take,
    ...defined({ ranges }),
    caller: { actor: apiCaller.caller.actor },
    wishes: {
      profile: given['x-palimpsest-profile'] ?? profile,
      ...defined({ session, window, agent, agentSession, title, project }),
      ...(Object.keys(labels).length > 0 && { labels }),
      ...(recall !== undefined && { recall: recall === 'on' }),
      recallByDefault,
    },
    ...(subjects && { subjects: () => subjectsOf(subjects) }),
    isRecordedOnly: given['x-palimpsest-fail-open'] === 'off',
    ...(override !== undefined && { override: { reason: override } }),
    ...(ladder !== undefined && { ladder }),
  };
};

/** Parses a body. @throws {AppError} `invalid-request`. */
const bodyIn = async (bytes: Buffer, valuesBeside?: number): Promise<JsonObject> => {
  const body = await documentIn(bytes, valuesBeside);
  if (!isJsonObject(body)) throw invalidBody('is not a JSON object');
  if (!isShallow(body)) throw invalidBody(`is nested deeper than ${LIMITS.depth.max} levels`);
  if (!hasFiniteNumbers(body)) throw invalidBody(HUGE_NUMBER);
  return body;
};

const invalidBody = (problem: string): InvalidRequest =>
  new InvalidRequest([{ at: 'body', problem: `it ${problem}` }]);

/** Headers of this service that every route reads. */
const READ_BY_EVERY_ROUTE: ReadonlySet<string> = new Set(['x-palimpsest-key', CONTENT_HEADER, REASON_HEADER]);

/** Returns the headers for the gateway, with misspelled names. */
const ownHeaders = ({ headers }: FastifyRequest): FastifyRequest['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => name.startsWith('x-palimpsest-') && !READ_BY_EVERY_ROUTE.has(name),
    ),
  );

/** Hop-by-hop headers, and headers for this service. */
const NOT_FORWARDED =
  /^(?:host|connection|keep-alive|content-.*|accept-encoding|transfer-encoding|expect|te|trailer|upgrade|proxy-.*|cookie|forwarded|x-forwarded-.*|x-palimpsest-.*)$/;

/** Returns the headers to forward to the provider, without every header whose value holds a key of this service. */
const forwardedHeaders = (request: FastifyRequest): Pick<PassedCall, 'headers' | 'bringsKey'> => {
  const key = clientKeyIn(request);
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || NOT_FORWARDED.test(name) || holdsServiceKey(String(value), key)
        ? []
        : [[name, String(value)]],
    ),
  );
  const hasOwn = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  return { headers, bringsKey: hasOwn && request.headers['x-palimpsest-key'] !== undefined };
};

/** Agent programs by the prefix of their user agent. Imports of their transcripts use the same names. */
const AGENTS: readonly (readonly [userAgent: RegExp, agent: string])[] = [
  [/^claude-(?:cli|code)\//i, 'claude-code'],
  [/^codex[-_][a-z_-]+\//i, 'codex'],
  [/^opencode\//i, 'opencode'],
  [/^openhands\//i, 'openhands'],
];

/** Returns the program that a user agent names; `undefined` for others, such as the SDK of a provider. */
export const agentIn = (userAgent: string | undefined): string | undefined =>
  AGENTS.find(([pattern]) => userAgent !== undefined && pattern.test(userAgent))?.[1];

/** Headers with the agent's own session ID: of Claude Code, OpenCode and pi. */
const HEADERS = ['x-claude-code-session-id', 'x-session-id', 'session_id', 'session-id'] as const;

/**
 * Returns the ID that an agent has for its session; `undefined` if it sends none that is valid here.
 *
 * Agents send the same ID with requests of other conversations, such as for titles. Those have no tools, so they do not get the
 * name; Codex tells its conversations apart itself, and sends its tools as messages.
 */
export const agentSessionIn = (headers: IncomingHttpHeaders, body: JsonObject): SessionId | undefined => {
  const { prompt_cache_key: cacheKey, client_metadata: codex, metadata, tools } = body;
  const ofCodex = memberOf(codex, 'thread_id') ?? memberOf(codex, 'session_id');
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const others = [
    ...HEADERS.map((name) => headers[name]),
    claudeSession(memberOf(metadata, 'user_id')),
    cacheKey,
  ];
  for (const id of [ofCodex, ...(hasTools ? others : [])]) {
    const valid = typeof id === 'string' ? sessionIdOf(id) : undefined;
    if (valid !== undefined) return valid;
  }
  return undefined;
};

const memberOf = (value: unknown, name: string): unknown =>
  isJsonObject(value) ? ownMember(value, name) : undefined;

/** In the `user_id` of Claude Code: a JSON object, or of earlier versions `…_session_ID`. */
const claudeSession = (userId: unknown): unknown => {
  if (typeof userId !== 'string') return undefined;
  return parseJsonObject(userId)?.session_id ?? /_session_([\w-]+)$/.exec(userId)?.[1];
};

/** IDs that leave room for the suffix of a fork. */
const ID_MAX = 80;

const sessionIdOf = (id: string): SessionId | undefined => {
  if (id.length < 8 || id.length > ID_MAX) return undefined;
  try {
    return SessionId(id);
  } catch {
    return undefined;
  }
};

const PREFIX = /^\/gateway\/(?:anthropic|openai\/v1)(?=\/)/;
/** A decoded path segment: the name of a resource, or of a model with its owner. */
const SEGMENT = /^[A-Za-z0-9._:@~+,=-]+(?:\/[A-Za-z0-9._:@~+,=-]+)*$/;

/**
 * Returns the path and query relative to the provider's base URL. Query parameters that hold a key of this service, by its
 * form or equal to `key`, are removed.
 *
 * @param url such as `/gateway/openai/v1/models/gpt-5?limit=2`.
 * @throws {AppError} `route-not-found` for a segment that would change the path once decoded.
 */
export const upstreamPath = (url: string, key: string | undefined): string => {
  const [path = '', query] = split(url);
  if (!PREFIX.test(path)) throw notFound();
  const relative = path.replace(PREFIX, '');
  if (!relative.slice(1).split('/').every(isName)) throw notFound();
  const kept = (query ?? '').split('&').filter((one) => one !== '' && !holdsServiceKey(one, key));
  return kept.length === 0 ? relative : `${relative}?${kept.join('&')}`;
};

const split = (url: string): readonly [string, string | undefined] => {
  const at = url.indexOf('?');
  return at < 0 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)];
};

const isName = (segment: string): boolean => {
  const name = decoded(segment);
  return SEGMENT.test(name) && name.split('/').every((part) => !/^\.{1,2}$/.test(part));
};

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
};

const notFound = (): AppError => new AppError('route-not-found', 'unknown route: see /docs for all routes');
