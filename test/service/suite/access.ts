import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Caller, Service } from '../support/service.js';

const WORD = 'Zwiebelfisch';
const MESSAGES = Array.from({ length: 24 }, (_, at) => ({
  id: `m${at}`,
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${at}: ${`the ${WORD} in src/app.ts fails, and the test must pass. `.repeat(12)}`,
}));

type Issued = { readonly key: string; readonly keyId: string };
type Read = {
  readonly kind: string;
  readonly endpoint: string;
  readonly actor: string;
  readonly session: string | null;
  readonly revisions: { readonly from: number; readonly to: number } | null;
  readonly filters: Readonly<Record<string, string>>;
  readonly reason: string | null;
};
type Row = { readonly type: string; readonly session: string | null; readonly payload: object };

/**
 * Guarantee: only keys with permission read text, each read is recorded, and the audit has every decision with actor
 * and reason.
 */
export const accessTests = (service: () => Service): void =>
  describe('content access', () => {
    let api: Caller;
    let auditor: Issued;
    let operator: Issued;
    let reader: Issued;
    let compaction: string;
    const issue = async (body: object): Promise<Issued> => {
      const answer = await api.call('POST', '/v1/keys', body);
      expect(answer.status).toBe(201);
      return answer.body as Issued;
    };
    const ask = (by: Issued, path: string, headers = {}): Promise<Answer> =>
      api.call('GET', path, undefined, { authorization: `Bearer ${by.key}`, ...headers });
    const textIn = ({ body }: Answer): string => (typeof body === 'string' ? body : JSON.stringify(body));
    const reads = async (query: string): Promise<readonly Read[]> =>
      ((await api.call('GET', `/v1/audit/reads?${query}`)).body as { items: readonly Read[] }).items;
    /** Repeats a query, since rows follow the log with a delay. */
    const eventually = async <Found>(find: () => Promise<readonly Found[]>): Promise<readonly Found[]> => {
      for (;;) {
        const found = await find();
        if (found.length > 0) return found;
        await pause(20);
      }
    };
    const rows = (query: string): Promise<readonly Row[]> =>
      eventually(async () => {
        const answer = await api.call('GET', `/v1/audit?${query}`);
        expect(answer.status).toBe(200);
        return (answer.body as { items: readonly Row[] }).items;
      });

    beforeAll(async () => {
      api = await service().tenant('access');
      auditor = await issue({ role: 'auditor' });
      operator = await issue({ role: 'operator' });
      reader = await issue({ role: 'auditor', permissions: ['content:read'], label: 'case 7' });
      const system = `Never say ${WORD}.`;
      await api.call('POST', '/v1/sessions', { session: 'talk', window: 20_000, system });
      await api.call('PUT', '/v1/sessions/talk/pins/rule', { text: WORD });
      await api.call('POST', '/v1/sessions/talk/messages', { messages: MESSAGES, stopReason: 'end_turn' });
      const compacted = await api.call('POST', '/v1/sessions/talk/compactions?wait=true', {});
      expect(compacted).toMatchObject({ status: 200, body: { summary: expect.stringContaining(WORD) } });
      compaction = (compacted.body as { compactionId: string }).compactionId;
    });

    it.each([
      [
        '/v1/sessions/talk/context',
        { tokens: expect.any(Number), withheld: expect.arrayContaining(['request']) },
      ],
      ['/v1/sessions/talk', { pins: [{ pinId: 'rule', withheld: ['text'] }] }],
      ['/v1/sessions/talk/diff?a=1&b=9&content=true', { messages: expect.anything() }],
    ])('shows an auditor everything of %s except text, and reports what is withheld', async (path, shown) => {
      const answer = await ask(auditor, path);
      expect(answer).toMatchObject({ status: 200, body: shown });
      expect(textIn(answer)).toContain('withheld');
      expect(textIn(answer)).not.toContain(WORD);
      expect(textIn(await ask(reader, path))).toContain(WORD);
    });

    it('shows an operator the outcome of a compaction and the pins, without their text', async () => {
      const outcome = await ask(operator, `/v1/sessions/talk/compactions/${compaction}/outcome`);
      expect(outcome).toMatchObject({
        status: 200,
        body: { outcome: 'completed', withheld: ['summary', 'fileOperations'] },
      });
      const headers = { authorization: `Bearer ${operator.key}` };
      const pinned = await api.call('PUT', '/v1/sessions/talk/pins/other', { text: 'Be brief.' }, headers);
      expect(pinned.body).toMatchObject([{ pinId: 'rule', withheld: ['text'] }, { pinId: 'other' }]);
      const left = await api.call('DELETE', '/v1/sessions/talk/pins/other', undefined, headers);
      expect(textIn(left)).not.toContain(WORD);
    });

    it('streams facts to an auditor, and text to a key with permission', async () => {
      const facts = await ask(auditor, '/v1/sessions/talk/events');
      expect(facts.status).toBe(200);
      expect(textIn(facts)).not.toContain(WORD);
      const lines = textIn(facts)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines).toContainEqual(
        expect.objectContaining({
          type: 'MessageAppended',
          withheld: ['data'],
          data: expect.objectContaining({ role: 'user', blocks: { text: 1 } }),
        }),
      );
      expect(textIn(await ask(reader, '/v1/sessions/talk/events'))).toContain(WORD);
      const stream = await ask(auditor, '/v1/stream?from=start&follow=false');
      expect(textIn(stream)).not.toContain(WORD);
    });

    it.each([
      '/v1/sessions/talk/export',
      '/v1/sessions/talk/messages/m0',
      '/v1/stream?from=start&follow=false&content=full',
    ])('denies an auditor the text of %s, and names the required permission', async (path) => {
      const refused = await ask(auditor, path);
      expect(refused).toMatchObject({
        status: 403,
        body: { code: 'content-forbidden', detail: expect.stringContaining('content:read') },
      });
      const granted = await ask(reader, path);
      expect(granted.status).toBe(200);
      expect(textIn(granted)).toContain(WORD);
    });

    it('returns a stored answer with text to no other key', async () => {
      const once = { 'idempotency-key': 'pin-once' };
      const by = (key: string) => ({ ...once, authorization: `Bearer ${key}` });
      const text = { text: `${WORD} again` };
      const first = await api.call('PUT', '/v1/sessions/talk/pins/again', text, by(api.key));
      expect(textIn(first)).toContain(WORD);
      const again = await api.call('PUT', '/v1/sessions/talk/pins/again', text, by(operator.key));
      expect(again).toMatchObject({ status: 422, body: { code: 'idempotency-key-reused' } });
      expect(textIn(again)).not.toContain(WORD);
    });

    it('records who read which revisions of which session, where, and why', async () => {
      const why = { 'x-palimpsest-reason': encodeURIComponent('Prüfung 7') };
      await ask(reader, '/v1/sessions/talk/export?message=m3', why);
      const [read] = await eventually(async () =>
        (await reads(`kind=content&session=talk&actor=key:${reader.keyId}`)).filter(
          ({ reason }) => reason !== null,
        ),
      );
      expect(read).toMatchObject({
        ...{ kind: 'content', endpoint: 'GET /v1/sessions/:session/export', session: 'talk', rows: null },
        ...{ actor: `key:${reader.keyId}`, filters: { message: 'm3' }, reason: 'Prüfung 7' },
        revisions: { from: 0, to: expect.any(Number) },
      });
      const asOf = await ask(reader, '/v1/sessions/talk/context?asOf=5', why);
      expect(asOf.status).toBe(200);
      await eventually(async () =>
        (await reads('kind=content&session=talk')).filter(
          ({ endpoint, revisions }) => endpoint.endsWith('/context') && revisions?.to === 5,
        ),
      );
      expect(await reads(`kind=content&actor=key:${auditor.keyId}`)).toEqual([]);
      const long = await ask(reader, '/v1/sessions/talk/export', { 'x-palimpsest-reason': 'x'.repeat(501) });
      expect(long).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    });

    it('records a repeated read once per minute', async () => {
      const why = { 'x-palimpsest-reason': 'polling' };
      for (let times = 0; times < 5; times += 1) await ask(reader, '/v1/sessions/talk/context?asOf=3', why);
      await ask(reader, '/v1/sessions/talk/context?asOf=4', why);
      const polled = async () => (await reads('kind=content')).filter(({ reason }) => reason === 'polling');
      // Rows follow the order of the log: the last one implies the others.
      await eventually(async () => (await polled()).filter(({ revisions }) => revisions?.to === 4));
      expect(await polled()).toHaveLength(2);
    });

    it('records a request that an agent composes as RequestComposed, not as a read', async () => {
      const agent = await issue({ role: 'agent' });
      const headers = { authorization: `Bearer ${agent.key}` };
      expect((await api.call('POST', '/v1/sessions/talk/compose', {}, headers)).status).toBe(200);
      const composed = await rows(`session=talk&type=RequestComposed&actor=key:${agent.keyId}`);
      expect(composed).toHaveLength(1);
      expect(await reads(`kind=content&actor=key:${agent.keyId}`)).toEqual([]);
    });

    it('ends with the key: a rotated key passes it on, a revoked one has none', async () => {
      const first = await issue({ role: 'operator', permissions: ['content:read'] });
      const rotated = await api.call('POST', `/v1/keys/${first.keyId}/rotate`, { overlapSeconds: 3_600 });
      expect(rotated).toMatchObject({ body: { permissions: ['content:read'] } });
      const second = rotated.body as Issued;
      expect((await ask(second, '/v1/sessions/talk/export')).status).toBe(200);
      expect((await ask(second, '/v1/whoami')).body).toMatchObject({ permissions: ['content:read'] });
      await api.call('DELETE', `/v1/keys/${second.keyId}?reason=case+closed`);
      expect((await ask(second, '/v1/sessions/talk/export')).status).toBe(401);
      const actor = (await api.call('GET', '/v1/whoami')).body as { actor: string };
      const { keys } = (await api.call('GET', '/v1/keys')).body as { keys: readonly object[] };
      expect(keys).toContainEqual(
        expect.objectContaining({
          ...{ keyId: first.keyId, issuedBy: actor.actor, replacedBy: second.keyId },
          rotation: { by: actor.actor, at: expect.any(String) },
        }),
      );
      expect(keys).toContainEqual(
        expect.objectContaining({
          keyId: second.keyId,
          revocation: { by: actor.actor, at: expect.any(String), reason: 'case closed' },
        }),
      );
    });

    it('finds decisions about the tenant in the audit by type, actor and time, without keys or secrets', async () => {
      await api.call('PUT', '/v1/limits', { requestsPerMinute: 20_000 });
      const hook = { url: 'https://192.0.2.1/services/T0KEN', sessions: ['none'], content: 'full' };
      expect((await api.call('POST', '/v1/webhooks', hook)).status).toBe(201);
      const [registered] = await rows('type=WebhookRegistered&since=2026-01-01');
      expect(registered).toMatchObject({
        session: null,
        payload: { origin: 'https://192.0.2.1', content: 'full' },
      });
      const [changed] = await rows('type=LimitsChanged');
      expect(changed).toMatchObject({ payload: { requestsPerMinute: 20_000 } });
      const [issued] = await rows('type=ApiKeyIssued&sort=position');
      expect(issued).toMatchObject({ session: null, payload: { role: 'admin', label: 'first admin' } });
      const exported = textIn(await api.call('GET', '/v1/audit/export'));
      expect(exported).toContain('"TenantRegistered"');
      expect(exported).not.toContain('T0KEN');
      expect(exported).not.toContain(auditor.key);
    });

    it('includes the text of a reason in the row', async () => {
      const reason = 'ticket 42: the branch was abandoned';
      await api.call('POST', '/v1/sessions', { session: 'reasons', window: 20_000 });
      await api.call('POST', '/v1/sessions/reasons/defer', { until: 'released', reason });
      await api.call('POST', '/v1/sessions/reasons/close', { reason });
      for (const type of ['CompactionsHeld', 'SessionClosed'])
        expect(await rows(`session=reasons&type=${type}`)).toMatchObject([{ payload: { reason } }]);
    });

    it('lists all tenants for the operator only, page by page', async () => {
      const { operator: installation } = service();
      const seen: string[] = [];
      let after = '';
      for (;;) {
        const page = await installation.call('GET', `/v1/tenants?limit=2${after}`);
        const { items, next } = page.body as { items: readonly { tenant: string }[]; next: string | null };
        seen.push(...items.map(({ tenant }) => tenant));
        if (next === null) break;
        after = `&after=${next}`;
      }
      expect(seen).toEqual(expect.arrayContaining(['default', api.tenant]));
      expect(seen).toEqual([...new Set(seen)].sort());
      expect(await api.call('GET', '/v1/tenants')).toMatchObject({
        status: 403,
        body: { code: 'forbidden' },
      });
    });

    it('hides the reads of one tenant from another', async () => {
      const other = await service().tenant('access_other');
      const seen = await other.call('GET', '/v1/audit/reads?session=talk');
      expect(seen).toMatchObject({ status: 200, body: { items: [] } });
      const theirs = await other.call('GET', '/v1/sessions/talk/export');
      expect(theirs).toMatchObject({ status: 404, body: { code: 'session-not-found' } });
    });
  });
