import { isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import { type Random, randomFrom } from '../fuzz/mutate.js';
import {
  argumentsJson,
  blockJson,
  GATEWAY_BODIES,
  messagesJson,
  transcriptBytes,
  wildness,
} from './bodies.js';
import { jsonFrom, type Making } from './schema.js';
import { below, CONTENT_MARK, chance, ODD_NAMES, pick } from './values.js';
import { KEY_KINDS, type KeyKind, type World } from './world.js';

/**
 * Delivery of the body: as a whole, in pieces, half and then waiting, half and then closed, or with a wrong length.
 */
type Delivery = 'whole' | 'slow' | 'half' | 'cut' | 'short';
export type HostileRequest = {
  readonly seed: number;
  readonly index: number;
  readonly method: string;
  /** The declared route: `/v1/sessions/{session}`. */
  readonly route: string;
  /** Path and query, with the escaping that clients must apply. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly delivery: Delivery;
  readonly key: KeyKind;
};
type Route = { readonly method: string; readonly route: string; readonly operation: JsonObject };

/** Returns every declared operation, and an unknown one. */
const routesOf = ({ openApi }: World): readonly Route[] => {
  const paths = isJsonObject(openApi.paths) ? openApi.paths : {};
  const found = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(isJsonObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isJsonObject(operation) ? [{ method: method.toUpperCase(), route, operation }] : [],
    ),
  );
  return [...found, { method: 'POST', route: '/v1/nowhere/{name}', operation: {} }];
};

const ROUTES = new WeakMap<World, readonly Route[]>();

/** Returns the request at an index of a run, deterministically by seed and index. */
export const requestAt = (world: World, seed: number, index: number): HostileRequest => {
  const random = randomFrom((Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0);
  const routes = ROUTES.get(world) ?? routesOf(world);
  ROUTES.set(world, routes);
  // Routes take turns, so that a thousand requests cover all of them.
  const known = routes[index % routes.length] ?? { method: 'GET', route: '/', operation: {} };
  const { route, operation } = known;
  const method = chance(0.01, random)
    ? pick(['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'], random)
    : known.method;
  const making = makingOf(world, random);
  const key = keyFor(known, random);
  const body = method === 'GET' || method === 'HEAD' ? undefined : bodyOf(known, making);
  return {
    ...{ seed, index, method, route, key, body },
    path: `${filled(route, world, random)}${queryOf(operation, making)}`,
    headers: headersOf(known, { world, random, key, body }),
    delivery: body && body.length > 1 ? deliveryOf(random) : 'whole',
  };
};

const deliveryOf = (random: Random): Delivery =>
  chance(0.94, random) ? 'whole' : pick(['slow', 'half', 'cut', 'short'], random);

/** Requests that lower a tenant's own limits use a separate tenant. */
const keyFor = ({ route, method }: Route, random: Random): KeyKind => {
  if (route === '/v1/limits' && method === 'PUT')
    return pick(['spoiled', 'agent', 'none', 'revoked'], random);
  return chance(0.55, random) ? 'admin' : pick(KEY_KINDS, random);
};

const makingOf = (world: World, random: Random): Making => {
  const known: Readonly<Record<string, () => string>> = {
    session: () => quoted(sessionOf(world, random)),
    parent: () => quoted(sessionOf(world, random)),
    as: () => quoted(`f-${below(1_000_000, random)}`),
    model: () => '"claude-opus-4-6"',
    profile: () => pick(['"core"', '"none"', '{"name":"mine","mode":"automatic","stages":[]}'], random),
    overrides: () =>
      pick(['{"warnAtShare":0.5}', '{"requireAtShare":0.9,"target":0.2}', '{"mode":"off"}'], random),
    compactionId: () => quoted(pick(world.compactions, random)),
    requestId: () => quoted(pick(world.requests, random)),
    id: () => quoted(`x-${below(1_000_000, random)}`),
    'content[]': () => blockJson(wildness(random)),
    'blocks[]': () => blockJson(wildness(random)),
    input: () => argumentsJson(wildness(random)),
    messages: () => messagesJson(wildness(random)),
    url: () => pick(['"https://192.0.2.1/x"', '"http://127.0.0.1:1/"', '"http://169.254.169.254/"'], random),
    confirm: () => 'true',
    waitSeconds: () => '0',
    timeoutSeconds: () => '1',
    'tools[]': () => '{"name":"read","input_schema":{"type":"object","properties":{}}}',
  };
  const oddShare = pick([0, 0, 0.02, 0.05, 0.2], random);
  return {
    ...{ random, oddShare, document: world.openApi },
    known: (name) => (Object.hasOwn(known, name) ? known[name]?.() : undefined),
  };
};

const quoted = (text: string): string => JSON.stringify(text);

const sessionOf = ({ sessions, bystander }: World, random: Random): string => {
  if (chance(0.75, random)) return pick(sessions, random);
  return chance(0.5, random) ? pick(bystander.sessions, random) : pick(ODD_NAMES, random);
};

/** Returns a path with parameter values, some of them odd, escaped or not. */
const filled = (route: string, world: World, random: Random): string =>
  route.replace(/\{(\w+)\}/g, (_, name: string) => {
    // A closed session accepts nothing more: most stay open.
    if (name === 'session' && route.endsWith('/close') && chance(0.95, random))
      return `c-${below(9, random)}`;
    if (name === 'session') return escaped(sessionOf(world, random), random);
    const usual: Readonly<Record<string, readonly string[]>> = {
      compaction: world.compactions,
      message: Array.from({ length: 26 }, (_, at) => `m-${at}`),
      pin: ['p-1', 'p-2'],
      key: world.spareKeys,
      webhook: world.webhooks,
      prompt: ['mine'],
      profile: ['core', 'tail'],
      code: ['internal', 'invalid-request'],
    };
    const known = chance(0.7, random) ? ownMember(usual, name) : undefined;
    if (known) return pick(known, random);
    const other = pick(['sessions', 'claude-opus-4-6', '1', 'mine', 'none'], random);
    return chance(0.6, random) ? other : escaped(pick(ODD_NAMES, random), random);
  });

/** Mostly percent-encodes; sometimes raw where clients may send that, rarely broken. */
const escaped = (value: string, random: Random): string => {
  if (chance(0.02, random)) return '%zz';
  if (chance(0.1, random) && /^[\x21-\x7e]+$/.test(value)) return value;
  return encodeURIComponent(value.toWellFormed());
};

const queryOf = (operation: JsonObject, making: Making): string => {
  const { random, oddShare } = making;
  const parameters: readonly Json[] = Array.isArray(operation.parameters) ? operation.parameters : [];
  const given = parameters.flatMap((parameter) => {
    if (!isJsonObject(parameter) || parameter.in !== 'query') return [];
    if (parameter.required !== true && chance(0.7, random)) return [];
    const name = String(parameter.name);
    const json = SHORT.has(name) ? '1' : jsonFrom(parameter.schema, making, name);
    const value = json.startsWith('"') ? String(JSON.parse(json)) : json;
    return [`${name}=${escaped(value.slice(0, 4_000), random)}`];
  });
  const more = chance(oddShare, random) ? [`${escaped(pick(ODD_NAMES, random), random)}=1`] : [];
  const all = [...given, ...more];
  return all.length === 0 ? '' : `?${all.join('&')}`;
};
/** Parameters in seconds that delay the answer: a run has no time for the longest. */
const SHORT: ReadonlySet<string> = new Set(['timeoutSeconds', 'waitSeconds']);

const bodyOf = ({ route, operation }: Route, making: Making): Buffer | undefined => {
  const { random } = making;
  if (chance(0.02, random)) return Buffer.from(pick(['', '{', '"', 'nope', '\ufeff{}', '[1,]'], random));
  if (chance(0.01, random)) return Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]);
  for (const [part, make] of GATEWAY_BODIES)
    if (route.startsWith('/gateway/') && route.includes(part)) return Buffer.from(make(wildness(random)));
  if (route === '/v1/imports') return transcriptBytes(random);
  const { requestBody } = operation;
  const content = isJsonObject(requestBody) ? requestBody.content : undefined;
  const json = isJsonObject(content) ? content['application/json'] : undefined;
  if (!isJsonObject(json)) return chance(0.2, random) ? Buffer.from('{}') : undefined;
  return Buffer.from(jsonFrom(json.schema, making));
};

type Asking = {
  readonly world: World;
  readonly random: Random;
  readonly key: KeyKind;
  readonly body: Buffer | undefined;
};

const headersOf = ({ route }: Route, { world, random, key, body }: Asking): Record<string, string> => {
  const secret = Buffer.from(world.keys[key], 'utf8').toString('latin1');
  const isGateway = route.startsWith('/gateway/');
  const type = route === '/v1/imports' ? 'application/x-ndjson' : 'application/json';
  return {
    ...(secret !== '' &&
      (isGateway ? { 'x-palimpsest-key': secret } : { authorization: `Bearer ${secret}` })),
    ...(isGateway && {
      'x-api-key': 'sk-theirs',
      ...(chance(0.9, random) && { authorization: 'Bearer sk-theirs' }),
    }),
    ...(body && { 'content-type': chance(0.96, random) ? type : pick(TYPES, random) }),
    ...(body && chance(0.02, random) && { 'content-encoding': pick(['gzip', 'br', 'x'], random) }),
    ...(chance(0.05, random) && { 'accept-encoding': pick(['gzip', 'br;q=0', '*', ''], random) }),
    ...conditions(random, isGateway),
  };
};

const TYPES: readonly string[] = [
  ...['text/plain', 'application/xml', 'multipart/form-data', 'application/json; charset=utf-16', ''],
  ...['application/problem+json', 'application/octet-stream', 'application/x-ndjson', '/'],
];

const conditions = (random: Random, isGateway: boolean): Record<string, string> => {
  const odd = (): string => Buffer.from(pick(ODD_NAMES, random).replace(/[\p{Cc}]/gu, '')).toString('latin1');
  const some = (name: string, usual: readonly string[], share = 0.06): Record<string, string> =>
    chance(share, random) ? { [name]: chance(0.6, random) ? pick(usual, random) : odd() } : {};
  return {
    ...some('if-match', ['"0"', '"3"', '"999999999999999999999"', '*', 'W/"1"']),
    ...some('if-none-match', ['"0"', '"3"', '*']),
    ...some('idempotency-key', ['one', 'two', 'x'.repeat(300)]),
    ...some('x-request-id', ['r-1']),
    ...some('x-palimpsest-reason', [`${CONTENT_MARK}`, '%ff', '%']),
    ...some('last-event-id', ['1', '9'.repeat(30)]),
    ...some('traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-x']),
    ...(isGateway && {
      ...some('x-palimpsest-session', ['h-0', 'g-1', 'g-2', 'by-0'], 0.5),
      ...some('x-palimpsest-window', ['0', '50000', '-1', '1e400', '0x10'], 0.2),
      ...some('x-palimpsest-profile', ['core', 'nobody'], 0.1),
      ...some('x-palimpsest-recall', ['on', 'off'], 0.2),
      ...some('x-palimpsest-override', ['reason'], 0.1),
      ...some('x-palimpsest-ladder', ['off', 'on'], 0.1),
      ...some('anthropic-version', ['2023-06-01'], 0.9),
    }),
  };
};
