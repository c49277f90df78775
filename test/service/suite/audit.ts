import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Caller, Service } from '../support/service.js';

type Row = {
  readonly position: string;
  readonly session: string | null;
  readonly type: string;
  readonly model: string | null;
  readonly recordedAt: string;
};
type Page = { readonly items: readonly Row[]; readonly next: string | null };

export const auditTests = (service: () => Service): void =>
  describe('audit over HTTP', () => {
    let api: Caller;
    const get = (path: string): Promise<Answer> => api.call('GET', path);
    const found = async (parameters: string): Promise<Page> => {
      const answer = await get(`/v1/audit?${parameters}`);
      expect(answer.status).toBe(200);
      return answer.body as Page;
    };

    beforeAll(async () => {
      api = await service().tenant('audit');
      for (const [session, model] of [
        ['first', 'model-a'],
        ['second', 'model-b'],
      ]) {
        const opened = await api.call('POST', '/v1/sessions', { session, model, window: 20_000 });
        expect(opened.status).toBe(201);
        for (const content of ['Hello.', 'And again.']) {
          const messages = [{ role: 'assistant', content }];
          const usage = { inputTokens: 10, outputTokens: 2 };
          const answer = await api.call('POST', `/v1/sessions/${session}/messages`, { messages, usage });
          expect(answer.status).toBe(200);
        }
      }
      expect((await found('session=second&type=UsageReported')).items).toHaveLength(2);
    });

    it('contains every event and every decision about the tenant, newest first, without content', async () => {
      const answer = await get('/v1/audit');
      const { items, next } = answer.body as Page;
      expect(items.map(({ session, type }) => `${session ?? 'tenant'} ${type}`)).toEqual([
        'second UsageReported',
        'second MessageAppended',
        'second UsageReported',
        'second MessageAppended',
        'second SessionOpened',
        'first UsageReported',
        'first MessageAppended',
        'first UsageReported',
        'first MessageAppended',
        'first SessionOpened',
        'tenant ApiKeyIssued',
        'tenant TenantRegistered',
      ]);
      expect(next).toBeNull();
      expect(JSON.stringify(answer.body)).not.toContain('Hello');
    });

    it.each([
      ['session=first&type=UsageReported&type=SessionOpened', 3],
      ['model=model-b', 5],
      ['profile=core', 10],
      ['trigger=threshold', 0],
      ['outcome=completed', 0],
      ['compaction=none', 0],
      ['correlation=none', 0],
      ['actor=nobody', 0],
      ['since=2026-01-01&until=2026-01-02', 0],
      ['since=2026-01-01', 12],
      ['type=ApiKeyIssued&type=TenantRegistered', 2],
      ['until=0000-01-01', 0],
    ])('filtered by %s has %i rows, and equal totals', async (filter, rows) => {
      expect((await found(filter)).items).toHaveLength(rows);
      const totals = await get(`/v1/audit/totals?by=type&${filter}`);
      expect(totals).toMatchObject({ status: 200, body: { events: rows } });
    });

    it.each(['-position', 'position', '-time', 'time'])('is paged, sorted by %s', async (sort) => {
      const all = await found(`sort=${sort}`);
      const seen: Row[] = [];
      let next: string | null = '';
      while (next !== null) {
        const page: Page = await found(`sort=${sort}&limit=3${next === '' ? '' : `&cursor=${next}`}`);
        seen.push(...page.items);
        next = page.next;
      }
      expect(seen).toEqual(all.items);
    });

    it.each([
      'cursor=nonsense',
      `cursor=${Buffer.from('["time","1","2026-01-01T00:00:00.000Z"]').toString('base64url')}`,
      `cursor=${Buffer.from('["-position","99999999999999999999","2026-01-01T00:00:00.000Z"]').toString('base64url')}`,
      'limit=0',
      'limit=1001',
      'type=Nothing',
      'tenant=other',
      'since=yesterday',
      'sort=payload',
    ])('rejects %s', async (parameters) => {
      expect(await get(`/v1/audit?${parameters}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid-request' },
      });
    });

    it('has totals by day, model and others', async () => {
      const day = new Date((await found('limit=1')).items[0]?.recordedAt ?? '').toISOString().slice(0, 10);
      expect((await get('/v1/audit/totals?by=day&model=model-a')).body).toEqual({
        events: 5,
        groups: [{ key: day, events: 5 }],
        omittedGroups: 0,
      });
      expect((await get('/v1/audit/totals?by=model')).body).toEqual({
        events: 12,
        groups: [
          { key: 'model-a', events: 5 },
          { key: 'model-b', events: 5 },
          { key: null, events: 2 },
        ],
        omittedGroups: 0,
      });
    });

    it('is exported as JSON lines and as CSV', async () => {
      const lines = await get('/v1/audit/export?session=first');
      expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
      const rows: Row[] = String(lines.body)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows).toEqual((await found('session=first&sort=position')).items);

      const csv = await get('/v1/audit/export?format=csv&type=SessionOpened');
      expect(csv.headers.get('content-type')).toContain('text/csv');
      const [names, ...cells] = String(csv.body).split('\r\n');
      expect(names).toBe(
        'position,recordedAt,session,revision,type,actor,compactionId,correlationId,trigger,outcome,profile,model,payload',
      );
      expect(cells.map((line) => line.split(',')[2])).toEqual(['first', 'second', undefined]);
    });

    it('exports nothing without matches', async () => {
      expect(await get('/v1/audit/export?actor=nobody')).toMatchObject({ status: 200, body: '' });
    });

    it('contains bills', async () => {
      const billed = { input: 20, cacheRead: 0, cacheWrite: 0, output: 4 };
      expect((await get('/v1/usage?by=model')).body).toMatchObject({
        total: { calls: 4, tokens: { ...billed, input: 40, output: 8 }, compactions: { countedSaved: 0 } },
        groups: [
          { key: 'model-a', calls: 2, tokens: billed },
          { key: 'model-b', calls: 2, tokens: billed },
        ],
      });
      expect(await get('/v1/usage?to=2026-01-01')).toMatchObject({
        body: { total: { calls: 0 }, groups: [] },
      });
      expect(await get('/v1/usage?from=0000-01-01')).toMatchObject({ status: 400 });
    });

    it('lists compactions', async () => {
      expect(await get('/v1/compactions?outcome=open&trigger=explicit')).toMatchObject({
        status: 200,
        body: { items: [], next: null },
      });
    });

    it('records its readers, with filters and number of rows', async () => {
      await get('/v1/audit?actor=watched&type=SessionOpened&type=SessionClosed');
      await get('/v1/audit/export?session=first&format=csv');
      await get('/v1/usage?by=profile');
      type Read = {
        readonly endpoint: string;
        readonly filters: Readonly<Record<string, string>>;
        readonly rows: number;
      };
      let reads: readonly Read[] = [];
      // Reads are listed in order: the last one of this test implies the earlier ones.
      while (!reads.some(({ filters }) => filters.session === 'first' && filters.format === 'csv')) {
        reads = ((await get('/v1/audit/reads')).body as { items: readonly Read[] }).items;
      }
      const found = (endpoint: string, name: string) =>
        reads.find((read) => read.endpoint === endpoint && Object.hasOwn(read.filters, name));
      expect(found('GET /v1/audit', 'actor')).toMatchObject({
        filters: { actor: 'watched', type: 'SessionOpened,SessionClosed', limit: '100' },
        rows: 0,
      });
      expect(found('GET /v1/audit/export', 'session')).toMatchObject({
        filters: { session: 'first', format: 'csv' },
        rows: 5,
      });
    });

    it('is described in OpenAPI', async () => {
      const { body } = await api.call('GET', '/openapi.json');
      expect(Object.keys((body as { paths: object }).paths)).toEqual(
        expect.arrayContaining(['/v1/audit', '/v1/audit/totals', '/v1/audit/export', '/v1/usage']),
      );
    });
  });
