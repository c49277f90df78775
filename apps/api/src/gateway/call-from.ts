import type { GatewayCall } from '@app/application';
import { isShallow, type WireName } from '@app/formats';
import { AppError, parseJsonObject } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bringsProvidersKey } from '../http/access.guard.js';
import type { Calling } from '../http/calling.js';
import { InvalidRequest } from '../http/problems.js';
import { valid } from '../http/valid.js';
import { reason, sessionId } from '../sessions/shapes.js';
import { textIn } from './read-text.js';

/** The headers by which a client may say more than its provider knows of. */
const wishes = z.object({
  'x-palimpsest-session': sessionId.optional(),
  'x-palimpsest-profile': z.string().min(1).max(64).optional(),
  'x-palimpsest-window': z.coerce.number().int().min(0).max(100_000_000).optional(),
  'x-palimpsest-override': reason.optional(),
});

type Ways = { readonly wire: WireName; readonly profile: string; readonly signal: AbortSignal };

/** A request of the gateway as it came. @throws {AppError} `invalid-request`, `append-too-large`, `unknown-format`. */
export const callFrom = async (
  request: FastifyRequest,
  { tenant, caller }: Calling,
  { wire, profile, signal }: Ways,
): Promise<GatewayCall> => {
  const given = valid(wishes).transform(request.headers, { type: 'custom' });
  const { 'x-palimpsest-session': session, 'x-palimpsest-window': window } = given;
  const override = given['x-palimpsest-override'];
  const text = await textIn(request);
  const body = parseJsonObject(text);
  if (!body || !isShallow(body)) throw new InvalidRequest([{ at: 'body', problem: 'it is no JSON object' }]);
  return {
    ...{ tenant, wire, text, body, signal },
    caller: { actor: caller.actor },
    path: pathOf(request),
    headers: headersOf(request),
    bringsKey: bringsProvidersKey(request),
    wishes: {
      profile: given['x-palimpsest-profile'] ?? profile,
      ...(session !== undefined && { session }),
      ...(window !== undefined && { window }),
    },
    ...(override !== undefined && { override: { reason: override } }),
  };
};

const PREFIX = /^\/gateway\/(?:anthropic|openai\/v1)(?=\/)/;

/** Behind the base URL that stands for the provider’s. */
const pathOf = ({ url }: FastifyRequest): string => {
  if (PREFIX.test(url)) return url.replace(PREFIX, '');
  throw new AppError('route-not-found', 'there is no such route: see /docs');
};

/** Headers that are about this hop, or this service. */
const OURS =
  /^(?:host|connection|keep-alive|content-.*|accept-encoding|transfer-encoding|expect|te|trailer|upgrade|proxy-.*|cookie|forwarded|x-forwarded-.*|x-palimpsest-.*)$/;

const headersOf = ({ headers }: FastifyRequest): Record<string, string> => {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OURS.test(name)) passed[name] = String(value);
  return passed;
};
