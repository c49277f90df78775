import { setTimeout as sleep } from 'node:timers/promises';
import { invariant, isJsonObject, type Json, type JsonObject, parseJsonObject } from '@app/kernel';
import { BYSTANDER_MARK, CONTENT_MARK } from './values.js';

/** The kind of caller. */
export type KeyKind = (typeof KEY_KINDS)[number];
export const KEY_KINDS = [
  'admin',
  'agent',
  'operator',
  'auditor',
  'spoiled',
  'operator-tenant',
  'revoked',
  'expired',
  'unknown',
  'malformed',
  'none',
] as const;

/** A running service with three tenants: an attacker, one that attacks itself, and a bystander. */
export type World = {
  readonly url: string;
  /** The API description that the service serves. */
  readonly openApi: JsonObject;
  /** The documented error codes. */
  readonly codes: ReadonlySet<string>;
  readonly keys: Readonly<Record<KeyKind, string>>;
  readonly sessions: readonly string[];
  readonly compactions: readonly string[];
  readonly requests: readonly string[];
  /** Ids of unused keys, and of webhooks with an unreachable URL. */
  readonly spareKeys: readonly string[];
  readonly webhooks: readonly string[];
  /** Key and sessions of the bystander. */
  readonly bystander: { readonly key: string; readonly sessions: readonly string[] };
};

const SESSIONS = ['h-0', 'h-1', 'h-2', 'h-3'] as const;
const BYSTANDERS = ['by-0', 'by-1'] as const;

type Asks = (method: string, path: string, body?: unknown) => Promise<JsonObject>;

const asksAt =
  (url: string, key: string): Asks =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    invariant(response.ok, `${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return parseJsonObject(text) ?? {};
  };

/** Creates the tenants with keys and sessions. `operatorKey` is the configured one. */
export const makeWorld = async (url: string, operatorKey: string): Promise<World> => {
  const operator = asksAt(url, operatorKey);
  const tenant = async (id: string, name: string): Promise<string> =>
    String((await operator('POST', '/v1/tenants', { tenant: id, name })).key);
  const bystanderKey = await tenant('bystander', 'Bystander');
  const admin = await tenant('mallory', 'Mallory');
  const spoiled = await tenant('spoiled', 'Spoiled');
  const mallory = asksAt(url, admin);
  await mallory('PUT', '/v1/limits', { requestsPerSecond: 1_000 });
  const issue = async (body: object): Promise<JsonObject> => mallory('POST', '/v1/keys', body);
  const revoked = await issue({ role: 'admin' });
  await mallory('DELETE', `/v1/keys/${String(revoked.keyId)}`);
  const soon = new Date(Date.now() + 1_000).toISOString();
  const keyOf = async (body: object): Promise<string> => String((await issue(body)).key);
  const keys = {
    ...{ admin, spoiled, 'operator-tenant': operatorKey, revoked: String(revoked.key), none: '' },
    agent: await keyOf({ role: 'agent' }),
    operator: await keyOf({ role: 'operator' }),
    auditor: await keyOf({ role: 'auditor' }),
    expired: await keyOf({ role: 'admin', expiresAt: soon }),
    unknown: `${admin.slice(0, -4)}0000`,
    malformed: 'not a key, \u00e9',
  };
  const spare = [await issue({ role: 'agent' }), await issue({ role: 'auditor' })];
  const hook = { url: 'http://127.0.0.1:9/', sessions: ['h-0'] };
  const hooks = [await mallory('POST', '/v1/webhooks', hook), await mallory('POST', '/v1/webhooks', hook)];
  await mallory('POST', '/v1/prompts/own/mine', { texts: { system: 'Be brief.' } });
  const filled = await Promise.all(SESSIONS.map((session) => fill(mallory, session, CONTENT_MARK)));
  const by = asksAt(url, bystanderKey);
  for (const session of BYSTANDERS) await fill(by, session, BYSTANDER_MARK);
  const errors = await (await fetch(`${url}/errors`)).text();
  const codes = new Set([...errors.matchAll(/errors\/([a-z-]+)/g)].map(([, code = '']) => code));
  const openApi = await (await fetch(`${url}/openapi.json`)).json();
  invariant(isJsonObject(openApi) && codes.size > 40, 'the service describes itself');
  return {
    ...{ url, openApi, codes, keys, sessions: SESSIONS },
    compactions: ['none', ...filled.map(({ compaction }) => compaction)],
    requests: ['none', ...filled.map(({ request }) => request)],
    spareKeys: spare.map(({ keyId }) => String(keyId)),
    webhooks: hooks.map(({ webhookId }) => String(webhookId)),
    bystander: { key: bystanderKey, sessions: BYSTANDERS },
  };
};

/** Opens a session with a history, a pin, a compaction and a request. */
const fill = async (asks: Asks, session: string, mark: string) => {
  const at = `/v1/sessions/${session}`;
  await asks('POST', '/v1/sessions', { session, window: 200_000, model: 'claude-opus-4-6', system: mark });
  const messages = Array.from({ length: 12 }, (_, turn) => [
    { id: `m-${2 * turn}`, role: 'user', content: `${mark} question ${turn}: ${'why '.repeat(200)}` },
    { id: `m-${2 * turn + 1}`, role: 'assistant', content: `${mark} answer ${turn}: ${'so '.repeat(200)}` },
  ]).flat();
  await asks('POST', `${at}/messages`, { messages, usage: { inputTokens: 9_000, outputTokens: 40 } });
  await asks('PUT', `${at}/pins/p-1`, { text: `${mark} is pinned` });
  const { compactionId } = await asks('POST', `${at}/compactions?wait=true`, {});
  const { requestId } = await asks('POST', `${at}/compose`, {});
  return { compaction: String(compactionId), request: String(requestId) };
};

/** Returns everything that the bystander can read, by path. */
export const seenByBystander = async ({ url, bystander }: World): Promise<ReadonlyMap<string, string>> => {
  const paths = [
    ...['/v1/sessions', '/v1/usage?by=model&from=2026-01-01', '/v1/audit?limit=1000', '/v1/compactions'],
    ...['/v1/limits', '/v1/webhooks', '/v1/summarizers', '/v1/prompts/own', '/v1/models'],
    ...bystander.sessions.flatMap((session) =>
      ['', '/context', '/export', '/compactions', '/events'].map((part) => `/v1/sessions/${session}${part}`),
    ),
  ];
  const seen = new Map<string, string>();
  for (const path of paths) {
    const headers = { authorization: `Bearer ${bystander.key}` };
    const answer = await fetch(`${url}${path}`, { headers });
    seen.set(path, `${answer.status} ${await answer.text()}`);
  }
  return seen;
};

/** Resolves once the rows have caught up with the log. */
export const caughtUp = async (url: string): Promise<void> => {
  for (;;) {
    const health = parseJsonObject(await (await fetch(`${url}/health`)).text());
    const projections: readonly Json[] = Array.isArray(health?.projections) ? health.projections : [];
    if (projections.length > 0 && projections.every((one) => isJsonObject(one) && one.lag === 0)) return;
    await sleep(100);
  }
};
