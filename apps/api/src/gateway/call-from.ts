import type { GatewayCall, PassedCall } from '@app/application';
import { isShallow } from '@app/formats';
import { HUGE_NUMBER, hasFiniteNumbers, holdsServiceKey, isJsonObject, LIMITS } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { clientKeyIn } from '../http/access.guard.js';
import type { Calling } from '../http/calling.js';
import { bytesOf } from '../http/entry/bodies.js';
import { documentIn } from '../http/entry/json-document.js';
import { InvalidRequest } from '../http/problems.js';
import { valid } from '../http/valid.js';
import { agentIn } from './agent-in.js';
import { gatewayHeaders } from './headers.js';
import { upstreamPath } from './upstream-path.js';

type Ways = Pick<GatewayCall, 'wire' | 'take' | 'signal'> & {
  readonly profile: string;
  readonly recallByDefault: boolean;
};

/** A question to the provider as it came. @throws {AppError} `route-not-found`. */
export const questionFrom = (
  request: FastifyRequest,
  { tenant }: Calling,
  ways: Pick<PassedCall, 'wire' | 'signal'>,
): PassedCall => ({
  ...{ tenant, ...ways },
  path: upstreamPath(request.url, clientKeyIn(request)),
  ...credentialsOf(request),
});

/** A request of the gateway as it came. @throws {AppError} `invalid-request`, `append-too-large`, `unknown-format`. */
export const callFrom = async (
  request: FastifyRequest,
  calling: Calling,
  { wire, profile, recallByDefault, take, signal }: Ways,
): Promise<GatewayCall> => {
  const given = await valid(gatewayHeaders).transform(request.headers, { type: 'custom' });
  const { 'x-palimpsest-session': session, 'x-palimpsest-window': window } = given;
  const recall = given['x-palimpsest-recall'];
  const { 'x-palimpsest-project': project } = given;
  const agent = given['x-palimpsest-agent'] ?? agentIn(request.headers['user-agent']);
  const { 'x-palimpsest-override': override, 'x-palimpsest-ladder': ladder } = given;
  const bytes = await bytesOf(request);
  const text = bytes.toString('utf8');
  const body = await documentIn(bytes);
  if (!isJsonObject(body)) throw unusable('is no JSON object');
  if (!isShallow(body)) throw unusable(`is nested deeper than ${LIMITS.depth.max} levels`);
  if (!hasFiniteNumbers(body)) throw unusable(HUGE_NUMBER);
  return {
    ...questionFrom(request, calling, { wire, signal }),
    ...{ text, body, take },
    caller: { actor: calling.caller.actor },
    wishes: {
      profile: given['x-palimpsest-profile'] ?? profile,
      ...(session !== undefined && { session }),
      ...(window !== undefined && { window }),
      ...(agent !== undefined && { agent }),
      ...(project !== undefined && { project }),
      ...(recall !== undefined && { recall: recall === 'on' }),
      recallByDefault,
    },
    ...(override !== undefined && { override: { reason: override } }),
    ...(ladder !== undefined && { ladder }),
  };
};

const unusable = (problem: string): InvalidRequest =>
  new InvalidRequest([{ at: 'body', problem: `it ${problem}` }]);

/** Headers that are about this hop, or this service. */
const OURS =
  /^(?:host|connection|keep-alive|content-.*|accept-encoding|transfer-encoding|expect|te|trailer|upgrade|proxy-.*|cookie|forwarded|x-forwarded-.*|x-palimpsest-.*)$/;

/** The headers that a provider is to see. None of them holds a key of this service, whatever it is named. */
const credentialsOf = (request: FastifyRequest): Pick<PassedCall, 'headers' | 'bringsKey'> => {
  const key = clientKeyIn(request);
  const isOurs = (value: string): boolean =>
    holdsServiceKey(value) || (key !== undefined && value.includes(key));
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      value === undefined || OURS.test(name) || isOurs(String(value)) ? [] : [[name, String(value)]],
    ),
  );
  const hasOwn = headers.authorization !== undefined || headers['x-api-key'] !== undefined;
  return { headers, bringsKey: hasOwn && request.headers['x-palimpsest-key'] !== undefined };
};
