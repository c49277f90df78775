import { isJsonObject, type Json, parseJson } from '@app/kernel';
import type { HostileRequest } from './requests.js';
import type { HostileAnswer } from './send.js';
import { BYSTANDER_MARK, CONTENT_MARK } from './values.js';
import type { World } from './world.js';

/**
 * Valid answers from 500 on, by code: an unreachable upstream, no memory for more bodies, an unavailable model
 * catalog, keys that are being destroyed, a compaction that takes too long.
 */
const MAY_FAIL: ReadonlyMap<number, ReadonlySet<string>> = new Map([
  [502, new Set(['upstream-unreachable'])],
  [503, new Set(['overloaded', 'models-unavailable', 'erasure-in-progress'])],
  [504, new Set(['compaction-timed-out'])],
]);

/** Returns the fault of an answer; `undefined` if it is valid. */
export const faultOf = (world: World, sent: HostileRequest, answer: HostileAnswer): string | undefined => {
  const { status, text, type, retryAfter, gaveUp } = answer;
  if (gaveUp) return isWaiting(sent) ? undefined : 'no answer came';
  if (status === undefined)
    return sent.delivery === 'whole' ? 'the connection ended without an answer' : undefined;
  if (text.includes(BYSTANDER_MARK)) return 'it holds text of another tenant';
  const isJson = /[/+]json\b/.test(type);
  const body = isJson ? parseJson(text) : undefined;
  if (status < 400) {
    const isWhole = text.length < 262_144 && sent.method !== 'HEAD' && status !== 304;
    return isJson && isWhole && text !== '' && body === undefined ? 'its body is no JSON' : undefined;
  }
  if (sent.method === 'HEAD') return status >= 500 ? 'it is of 500 or more' : undefined;
  // Requests that are rejected before routing get problem details, even for the gateway.
  const isGateway = sent.route.startsWith('/gateway/') && !type.startsWith('application/problem+json');
  const code = isGateway ? gatewayCode(body) : isJsonObject(body) ? body.code : undefined;
  // Under load a health probe may time out, which is no fault of the request.
  if (status === 503 && sent.route.startsWith('/health')) return undefined;
  if (status >= 500 && !MAY_FAIL.get(status)?.has(String(code))) return 'it is of 500 or more';
  if ((status === 429 || status === 503) && retryAfter === undefined)
    return 'it does not say when to repeat the request';
  if (isGateway) return code === undefined ? 'it is no error of its provider’s form' : undefined;
  if (sent.route.startsWith('/witness/') && type.startsWith('text/plain')) return undefined; // C2SP tlog-witness.
  if (!type.startsWith('application/problem+json') || !isJsonObject(body)) return 'it is no problem details';
  if (body.status !== status) return 'its status is another than in its problem details';
  if (!world.codes.has(String(body.code))) return 'its code is not documented';
  if (!isListed(world, sent, status, String(body.code))) return 'its operation does not list its code';
  return text.includes(CONTENT_MARK) ? 'its problem details quote content' : undefined;
};

const NO_ROUTE: ReadonlySet<string> = new Set(['route-not-found', 'method-not-allowed', 'invalid-request']);

/** Whether the API description lists the code for the operation; unknown operations have no route. */
const isListed = ({ openApi }: World, sent: HostileRequest, status: number, code: string): boolean => {
  const operation = memberAt(openApi, 'paths', sent.route, sent.method.toLowerCase());
  // A path with an empty or dotted segment is another route; a path that cannot be decoded, or a head that is too
  // large, matches none.
  if (code === 'route-not-found' || code === 'method-not-allowed' || operation === undefined)
    return NO_ROUTE.has(code);
  if (status === 431) return true;
  const response = memberAt(operation, 'responses', String(status));
  const reference = memberAt(response, '$ref');
  const name = typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : '';
  const described = memberAt(openApi, 'components', 'responses', name, 'description');
  return typeof described === 'string' && described.includes(`\`${code}\``);
};

const memberAt = (value: Json | undefined, ...names: readonly string[]): Json | undefined =>
  names.reduce<Json | undefined>((found, name) => (isJsonObject(found) ? found[name] : undefined), value);

/** Returns a code, or a type if the provider's format has none. */
const gatewayCode = (body: unknown): string | undefined => {
  const error = isJsonObject(body) ? body.error : undefined;
  if (!isJsonObject(error) || typeof error.message !== 'string') return undefined;
  return String(error.code ?? error.type);
};

/** Whether the answer may wait for a compaction, or takes as long as the whole log. */
const isWaiting = ({ route, path }: HostileRequest): boolean =>
  /\/(?:outcome|compose|stream|log\/verification)$|^\/gateway\//.test(route) || /[?&]wait=/.test(path);
