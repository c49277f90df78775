import type { GatewayCall, PassedCall } from '@app/application';
import { isShallow } from '@app/formats';
import {
  HUGE_NUMBER,
  hasFiniteNumbers,
  holdsServiceKey,
  isJsonObject,
  LIMITS,
  type SubjectRef,
} from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { clientKeyIn } from '../http/access.guard.js';
import { CONTENT_HEADER, REASON_HEADER } from '../http/content/content.js';
import type { ApiCaller } from '../http/current-caller.js';
import { bytesOf } from '../http/entry/bodies.js';
import { documentIn } from '../http/entry/json-document.js';
import { InvalidRequest } from '../http/problems.js';
import { valid } from '../http/valid.js';
import { withIdentity } from '../sessions/description.js';
import { agentIn } from './agent-in.js';
import { agentSessionIn } from './agent-session.js';
import { gatewayHeaders } from './headers.js';
import { upstreamPath } from './upstream-path.js';

type CallOptions = Pick<GatewayCall, 'wire' | 'take' | 'signal'> & {
  readonly profile: string;
  readonly recallByDefault: boolean;
  /** Returns the fingerprints of subjects by their names. */
  readonly subjectsOf: (names: readonly string[]) => Promise<readonly SubjectRef[]>;
};

/** Returns a request that the gateway forwards unchanged. @throws {AppError} `route-not-found`. */
export const forwardedCallFrom = (
  request: FastifyRequest,
  { tenant }: ApiCaller,
  options: Pick<PassedCall, 'wire' | 'signal'>,
): PassedCall => ({
  ...{ tenant, ...options },
  path: upstreamPath(request.url, clientKeyIn(request)),
  ...forwardedHeaders(request),
});

/** Reads a request that the gateway composes anew. @throws {AppError} `invalid-request`, `append-too-large`, `unknown-format`. */
export const callFrom = async (
  request: FastifyRequest,
  apiCaller: ApiCaller,
  { wire, profile, recallByDefault, subjectsOf, take, signal }: CallOptions,
): Promise<GatewayCall> => {
  const given = await valid(gatewayHeaders).transform(ownHeaders(request), { type: 'custom' });
  const { 'x-palimpsest-session': session, 'x-palimpsest-window': window } = given;
  const { 'x-palimpsest-subjects': subjects, 'x-palimpsest-recall': recall } = given;
  const { 'x-palimpsest-project': project, 'x-palimpsest-title': title } = given;
  const { 'x-palimpsest-user': user, 'x-palimpsest-customer': customer } = given;
  const labels = withIdentity({ user, customer }, given['x-palimpsest-labels']);
  const agent = given['x-palimpsest-agent'] ?? agentIn(request.headers['user-agent']);
  const { 'x-palimpsest-override': override, 'x-palimpsest-ladder': ladder } = given;
  const bytes = await bytesOf(request);
  const text = bytes.toString('utf8');
  const body = await documentIn(bytes);
  if (!isJsonObject(body)) throw invalidBody('is not a JSON object');
  if (!isShallow(body)) throw invalidBody(`is nested deeper than ${LIMITS.depth.max} levels`);
  if (!hasFiniteNumbers(body)) throw invalidBody(HUGE_NUMBER);
  const agentSession = agentSessionIn(request.headers, body);
  return {
    ...forwardedCallFrom(request, apiCaller, { wire, signal }),
    ...{ text, body, take },
    caller: { actor: apiCaller.caller.actor },
    wishes: {
      profile: given['x-palimpsest-profile'] ?? profile,
      ...(session !== undefined && { session }),
      ...(window !== undefined && { window }),
      ...(agent !== undefined && { agent }),
      ...(agentSession !== undefined && { agentSession }),
      ...(title !== undefined && { title }),
      ...(project !== undefined && { project }),
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
  const holdsOwnKey = (value: string): boolean =>
    holdsServiceKey(value) || (key !== undefined && value.includes(key));
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || NOT_FORWARDED.test(name) || holdsOwnKey(String(value))
        ? []
        : [[name, String(value)]],
    ),
  );
  const hasOwn = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  return { headers, bringsKey: hasOwn && request.headers['x-palimpsest-key'] !== undefined };
};
