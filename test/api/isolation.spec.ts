import { KEY_ROLES } from '@app/domain';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, ApiServer } from './support/api-server.js';
import { type FoundEndpoint, foundEndpoints, publicEndpoints } from './support/endpoints.js';
import { GROWING, type Named, RULES } from './support/isolation-rules.js';

const ENDPOINTS = foundEndpoints();
/** Part of every text of the other tenant, and of none of its ids. */
const SECRET = 'Zwiebelfisch';
const theirs: Named = {
  session: 'theirs-1',
  fresh: 'theirs-2',
  compaction: 'filled below',
  message: 'theirs-m-1',
  pin: 'theirs-pin',
  key: 'filled below',
  webhook: 'filled below',
  secret: 'theirs-secret',
  prompt: 'theirs-prompt',
};
const nobodys: Named = {
  session: 'nobody-1',
  fresh: 'nobody-2',
  compaction: 'nobody-c-1',
  message: 'nobody-m-1',
  pin: 'nobody-pin',
  key: 'nobodys00000',
  webhook: 'wh_nobodyshook0',
  secret: 'nobody-secret',
  prompt: 'nobody-prompt',
};

it('covers every endpoint with a rule', () => {
  expect(ENDPOINTS.map(({ route }) => route).sort()).toEqual(Object.keys(RULES).sort());
});

it('requires a key except for endpoints without tenant data', () => {
  expect(ENDPOINTS.filter(({ roles }) => roles === 'public')).toEqual([]);
  expect(publicEndpoints().map(({ route, roles }) => [route, roles])).toEqual(
    [
      'GET health/live',
      'GET health/ready',
      'GET health',
      'GET metrics',
      'GET asyncapi.json',
      'GET errors',
      'GET errors/:code',
      'POST v1/sign-in',
      'GET v1/sign-in',
      'POST v1/sign-out',
      'POST witness/add-checkpoint',
      'GET witness/:origin/checkpoint',
      'GET witness',
    ].map((route) => [route, 'public']),
  );
});

/** Guarantee: another tenant's resources are answered like missing ones, for every role and endpoint. */
describe('key of one tenant with ids of another', () => {
  let api: ApiServer;
  let foreign: Named;
  let before: unknown;
  let rivalsKey: string;
  const keys = new Map<string, string>();

  const issued = async (path: string, body: object, key?: string) => {
    const answer = await api.call('POST', path, body, key === undefined ? {} : bearer(key));
    expect(answer.status).toBe(201);
    return answer.body as { readonly key: string; readonly keyId: string };
  };

  const rivalsSessions = async (): Promise<unknown> => {
    const names = [theirs.session, theirs.fresh];
    const read = (name: string) => api.call('GET', `/v1/sessions/${name}`, undefined, bearer(rivalsKey));
    return (await Promise.all(names.map(read))).map(({ body }) => body);
  };

  beforeAll(async () => {
    api = await ApiServer.start({
      PALIMPSEST_STREAM_HEARTBEAT_MS: '200',
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    const ours = await issued('/v1/tenants', { tenant: 'ours', name: 'Ours' });
    const rival = await issued('/v1/tenants', { tenant: 'rival', name: SECRET });
    for (const role of KEY_ROLES) {
      keys.set(role, (await issued('/v1/keys', { role, label: role }, ours.key)).key);
    }
    const as = bearer(rival.key);
    const opened = async (session: string, more: object = {}) => {
      const given = { session, system: SECRET, labels: { secret: SECRET }, ...more };
      expect((await api.call('POST', '/v1/sessions', given, as)).status).toBe(201);
    };
    await opened(theirs.session);
    const messages = [
      { id: theirs.message, role: 'user', content: SECRET.repeat(50) },
      { role: 'assistant', content: SECRET.repeat(50) },
      { role: 'user', content: SECRET },
    ];
    const session = `/v1/sessions/${theirs.session}`;
    expect((await api.call('POST', `${session}/messages`, { messages }, as)).status).toBe(200);
    expect((await api.call('PUT', `${session}/pins/${theirs.pin}`, { text: SECRET }, as)).status).toBe(200);
    await opened(theirs.fresh, { parent: theirs.session });
    const compacted = await api.call('POST', `${session}/compactions?wait=true`, {}, as);
    const { compactionId } = compacted.body as { readonly compactionId: string };
    const hook = { url: 'http://127.0.0.1:9/', label: SECRET, sessions: ['none'] };
    const hooked = await api.call('POST', '/v1/webhooks', hook, as);
    expect(hooked.status).toBe(201);
    const kept = await api.call('PUT', `/v1/secrets/${theirs.secret}`, { value: SECRET }, as);
    expect(kept.status).toBe(200);
    const registered = { texts: { system: 'Be brief.' } };
    expect((await api.call('POST', `/v1/prompts/own/${theirs.prompt}`, registered, as)).status).toBe(201);
    const { webhookId } = hooked.body as { readonly webhookId: string };
    rivalsKey = rival.key;
    before = await rivalsSessions();
    foreign = { ...theirs, compaction: compactionId, key: rival.keyId, webhook: webhookId };
  });
  afterAll(async () => {
    expect(await api.stop()).toBe(0);
  });

  const ask = (endpoint: FoundEndpoint, named: Named, key: string): Promise<Answer> => {
    const { query = '', body, path = {}, headers = {} } = RULES[endpoint.route]?.(named) ?? {};
    const values = new Map(Object.entries({ ...named, ...path }));
    const url = endpoint.path.replace(/:(\w+)/g, (_, name: string) => values.get(name) ?? name);
    const type = endpoint.route === 'POST v1/imports' ? { 'content-type': 'application/x-ndjson' } : {};
    return api.call(endpoint.method, `/${url}${query}`, body, { ...bearer(key), ...type, ...headers });
  };

  /** Masks the requested ids and generated keys, which differ between answers. */
  const blank = ({ status, body }: Answer, named: Named): string => {
    // A stream reports its log position, which is public, in comments and empty events.
    const words = typeof body === 'string' ? body.replace(/^(:|id:).*\n+/gm, '') : JSON.stringify(body);
    const text = `${status} ${words}`;
    const blanked = Object.values(named).reduce((left, id) => left.replaceAll(id, '…'), text);
    return blanked
      .replace(/pal_\w+|whsec_[\w+/=]+|wh_\w+|"keyId":"\w+"/g, '…')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
  };

  describe.each(ENDPOINTS.map((endpoint) => [endpoint.route, endpoint] as const))(
    'requests %s',
    (_, endpoint) => {
      it.each(KEY_ROLES)('learns nothing as %s', async (role) => {
        const key = keys.get(role) ?? '';
        const theirAnswer = await ask(endpoint, foreign, key);
        const nobodysAnswer = await ask(endpoint, nobodys, key);
        if (GROWING.has(endpoint.route)) expect(theirAnswer.status).toBe(nobodysAnswer.status);
        else expect(blank(theirAnswer, foreign)).toBe(blank(nobodysAnswer, nobodys));
        expect(JSON.stringify(theirAnswer.body)).not.toContain(SECRET);
        const mayRead = !isText(endpoint) || READERS_OF_TEXT.includes(role);
        const mayAsk = mayRead && (endpoint.roles === 'public' || endpoint.roles.includes(role));
        expect(theirAnswer.status === 403).toBe(!mayAsk || endpoint.operatorOnly);
        if (mayAsk && !endpoint.operatorOnly)
          expect(JSON.stringify(theirAnswer.body)).not.toContain('"invalid-request"');
      });

      it('learns nothing without a key', async () => {
        if (endpoint.roles === 'public') return;
        expect((await ask(endpoint, foreign, 'none')).status).toBe(401);
      });
    },
  );

  it('changes no data of the other tenant', async () => {
    expect(await rivalsSessions()).toEqual(before);
  });

  /** Guarantee: no endpoint returns text to a key without `content:read`, and every read of text is recorded. */
  describe('text for the tenant’s own keys', () => {
    const own = new Map<string, string>();
    let reader = { key: '', keyId: '' };
    const shown = new Set<string>();
    beforeAll(async () => {
      for (const role of KEY_ROLES) own.set(role, (await issued('/v1/keys', { role }, rivalsKey)).key);
      const granted = { role: 'auditor', permissions: ['content:read'] };
      reader = await issued('/v1/keys', granted, rivalsKey);
    });

    // Reads come first, since writes could change the session that they read.
    const reading = (endpoint: FoundEndpoint) => (endpoint.method === 'GET' ? 0 : 1);
    const inOrder = [...ENDPOINTS].sort((a, b) => reading(a) - reading(b));

    it.each(inOrder.map((endpoint) => [endpoint.route, endpoint] as const))(
      'is returned by %s only to keys with content:read',
      async (route, endpoint) => {
        const full = await ask(endpoint, foreign, reader.key);
        if (withoutNames(full.body).includes(SECRET)) {
          shown.add(route);
          expect(endpoint.content).not.toBe('none');
        }
        for (const role of ['auditor', 'operator']) {
          const answer = await ask(endpoint, foreign, own.get(role) ?? '');
          expect(withoutNames(answer.body)).not.toContain(SECRET);
          if (isText(endpoint)) expect(answer.status).toBe(403);
        }
        if (endpoint.method !== 'GET' && endpoint.content !== 'none') {
          const answer = await ask(endpoint, foreign, own.get('admin') ?? '');
          if (answer.status < 300 && withoutNames(answer.body).includes(SECRET)) shown.add(route);
        }
      },
    );

    it('is returned by every endpoint declared to return it, and each of these reads is recorded', async () => {
      const reads = async () => {
        const found = await api.call(
          'GET',
          '/v1/audit/reads?kind=content&limit=1000',
          undefined,
          bearer(rivalsKey),
        );
        return (found.body as { items: readonly Read[] }).items;
      };
      const recorded = ENDPOINTS.filter(({ content }) => !['none', 'request'].includes(String(content)));
      const expected = recorded.map(({ route }) => route).sort();
      expect(expected.filter((route) => !shown.has(route))).toEqual([...UNSEEN].sort());
      // Rows are projected with a delay, in the order of the reads.
      const endpoints = async () =>
        new Set((await reads()).map(({ endpoint }) => endpoint.replace(' /', ' ')));
      let seen = await endpoints();
      while (!expected.filter((route) => shown.has(route)).every((route) => seen.has(route)))
        seen = await endpoints();
      const ofReader = (await reads()).filter(({ actor }) => actor === `key:${reader.keyId}`);
      expect(ofReader.find(({ endpoint }) => endpoint.endsWith('/export'))).toMatchObject({
        ...{ kind: 'content', session: foreign.session, rows: null, reason: null },
        revisions: { from: 0, to: expect.any(Number) },
      });
    });
  });
});

type Read = { readonly endpoint: string; readonly actor: string };

/** Rejects keys without the permission. */
const isText = ({ content }: FoundEndpoint): boolean => content === 'text' || content === 'request';
const READERS_OF_TEXT: readonly string[] = ['agent', 'admin'];
const isJsonObject = (text: string): boolean => {
  try {
    return (
      text.startsWith('{') &&
      text
        .trimEnd()
        .split('\n')
        .every((line) => JSON.parse(line))
    );
  } catch {
    return false;
  }
};
/** Returns the answer without labels and names, which contain the same word here without being text of messages. */
const withoutNames = (body: unknown): string => {
  if (typeof body === 'string' && body.startsWith('<!doctype html>'))
    return [...body.matchAll(/<script id="\w+" type="application\/json">(.*)<\/script>/g)]
      .map(([, data = '']) => withoutNames(JSON.parse(data)))
      .join('\n');
  if (typeof body !== 'string' || !body.startsWith('{'))
    return (
      JSON.stringify(body, (name, member) => {
        if (['label', 'labels', 'name'].includes(name)) return undefined;
        // Answers within an answer, as a page of a session has them.
        return typeof member === 'string' && isJsonObject(member) ? withoutNames(member) : member;
      }) ?? ''
    );
  const lines = body.trimEnd().split('\n');
  return lines.map((line) => withoutNames(JSON.parse(line))).join('\n');
};

/**
 * Answers without text in this test: a replaced pin and a skipped compaction. `test/service` covers these, and
 * `session-reports.spec.ts` the losses in explanations.
 */
const UNSEEN: readonly string[] = [
  // Asked for without text: test/console/sharing.spec.ts asks for it with text.
  'GET v1/sessions/:session/page',
  'PUT v1/sessions/:session/pins/:pin',
  'DELETE v1/sessions/:session/pins/:pin',
  'GET v1/sessions/:session/compactions/:compaction/outcome',
  'GET v1/sessions/:session/compactions/:compaction',
  'POST v1/sessions/:session/compactions',
  // Asked for without text: test/api/transparency-log.spec.ts asks for it with text.
  'GET v1/sessions/:session/proof',
];

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
