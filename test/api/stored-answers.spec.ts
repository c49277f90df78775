import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretKey } from '@app/adapters/secret-box';
import { spawnPostgres } from '@app/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { addCluster } from '../support/deployments/processes/data-folder.js';
import { type Answer, ApiServer } from './support/api-server.js';
import { eventsOf } from './support/rebuilt.js';

const PLANTED = 'the-planted-words-of-a-user';

/** Guarantee: text stays in the log. PostgreSQL rows with answers for idempotent retries reveal none. */
describe('stored answer under an Idempotency-Key', () => {
  let folder: string;
  let postgres: Awaited<ReturnType<typeof spawnPostgres>>;
  let api: ApiServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-kept-'));
    await addCluster(folder);
    postgres = await spawnPostgres({ dataDir: folder, port: 0 });
    api = await ApiServer.startAlone({
      PALIMPSEST_POSTGRES_URL: postgres.url,
      PALIMPSEST_SECRETS_KEY: newSecretKey(),
    });
  });
  afterAll(async () => {
    await api.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const compose = (headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.call('POST', '/v1/sessions/kept/compose', {}, { 'idempotency-key': 'compose-1', ...headers });

  /** Returns the tables with a row that contains the text, in clear or as bytes. */
  const tablesWith = async (text: string): Promise<string[]> => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
         where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
      );
      const holding: string[] = [];
      for (const { name } of rows) {
        const found = await client.query(
          `select 1 from ${name} as one where one::text like $1 or one::text like $2 limit 1`,
          [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`],
        );
        if (found.rows.length > 0) holding.push(name);
      }
      return holding;
    } finally {
      await client.end();
    }
  };

  it('is repeated in the same bytes, and no table contains its text', async () => {
    await api.call('POST', '/v1/sessions', { session: 'kept', window: 20_000 });
    const messages = [{ role: 'user', content: PLANTED }];
    await api.call('POST', '/v1/sessions/kept/messages', { messages }, { 'idempotency-key': 'say-1' });
    await api.call('PUT', '/v1/sessions/kept/pins/rule', { text: PLANTED }, { 'idempotency-key': 'pin-1' });
    const first = await compose();
    expect(JSON.stringify(first.body)).toContain(PLANTED);
    const again = await compose();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await tablesWith('compose-1')).toEqual(['public.idempotency_key']);
    expect(await tablesWith(PLANTED)).toEqual([]);
  });

  it('is that of one execution, however many times the request is sent at once', async () => {
    await api.call('POST', '/v1/sessions', { session: 'at-once', window: 20_000 });
    const said = (content: string) => ({ messages: [{ role: 'user', content }] });
    const requests = [
      ['messages', said('One.'), said('Another.')],
      ['append-and-compose', said('Two.'), said('Another.')],
      ['compose', {}, { ladder: 'off' }],
    ] as const;
    for (const [route, body, other] of requests) {
      const send = (given: object) =>
        api.call('POST', `/v1/sessions/at-once/${route}`, given, { 'idempotency-key': `${route}-at-once` });
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, at) => send(at % 3 === 2 ? other : body)),
      );
      const isNew = ({ status, headers }: Answer) => status === 200 && !headers.has('idempotency-replayed');
      const [first, ...others] = answers.filter(isNew);
      expect(others).toEqual([]);
      for (const { status, body: answered } of answers)
        if (status === 200) expect(answered).toEqual(first?.body);
        else expect([409, 422]).toContain(status);
      const isOther = answers.findIndex(isNew) % 3 === 2;
      expect(await send(isOther ? body : other)).toMatchObject({ status: 422 });
      expect(await send(isOther ? other : body)).toMatchObject({ status: 200, body: first?.body });
    }
    const types = (await eventsOf(api, 'at-once')).map(({ type }) => type);
    expect(types.filter((type) => type === 'MessageAppended')).toHaveLength(2);
    expect(types.filter((type) => type === 'RequestComposed')).toHaveLength(1);
  });

  it('is not waited for by a request that is repeated with a valid If-Match', async () => {
    await api.call('POST', '/v1/sessions', { session: 'matched', window: 20_000 });
    const append = (revision: string) =>
      api.call(
        'POST',
        '/v1/sessions/matched/messages',
        { messages: [{ role: 'user', content: 'Three.' }] },
        {
          'idempotency-key': 'if-match',
          'if-match': revision,
        },
      );
    expect(await append('latest')).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(await append('"9"')).toMatchObject({ status: 412 });
    expect(await append('*')).toMatchObject({ status: 200 });
  });

  it('is decrypted only with its caller’s API key', async () => {
    const issued = await api.call('POST', '/v1/keys', { role: 'agent' });
    const { key } = issued.body as { readonly key: string };
    expect(await compose({ authorization: `Bearer ${key}` })).toMatchObject({
      status: 422,
      body: { code: 'idempotency-key-reused' },
    });
    expect(await compose()).toMatchObject({ status: 200 });
  });
});
