import { createHash } from 'node:crypto';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../support/cli.js';
import { ApiServer, KEY } from './support/api-server.js';

type Listed = { readonly session: string; readonly occupancy: number };
type Page = { readonly items: readonly Listed[]; readonly next: string | null };

/** Guarantee: sessions can be found by the metadata that callers set, over HTTP and the command line alike. */
describe('list of sessions', () => {
  let api: ApiServer;
  let anthropic: AnthropicServer;
  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    api = await ApiServer.start({
      PALIMPSEST_SUMMARIZER: 'extractive',
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
    });
    const open = async (session: string, words: number, given: object) => {
      await ok('POST', '/v1/sessions', { session, window: 10_000, ...given });
      const messages = [{ role: 'user', content: 'word '.repeat(words) }];
      await ok('POST', `/v1/sessions/${session}/messages`, { messages });
    };
    await open('one', 500, { title: 'Fix the Date parser', agent: 'codex', project: 'dates' });
    await open('two', 2_000, { agent: 'claude-code', project: 'dates', labels: { team: 'core', ci: '' } });
    await open('three', 8_500, { title: 'Release 100% of it', labels: { team: 'web' }, parent: 'two' });
    await listed('', 3);
  });
  afterAll(async () => {
    await api.stop();
    await anthropic.close();
  });

  const ok = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await api.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const page = async (query: string): Promise<Page> => (await ok('GET', `/v1/sessions?${query}`)) as Page;
  /** Returns the ids of a list of `count` sessions with all appended messages. */
  const listed = async (query: string, count: number): Promise<readonly string[]> => {
    const { items } = await page(query);
    expect(items.filter(({ occupancy }) => occupancy > 100)).toHaveLength(count);
    return items.map(({ session }) => session);
  };
  const found = async (query: string): Promise<readonly string[]> =>
    (await page(query)).items.map(({ session }) => session);
  const cli = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await runCli([...args, '--url', api.url, '--api-key', KEY]);
    return { exitCode, stdout, stderr };
  };
  const cliFound = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await cli('sessions', '--json', ...args);
    return (JSON.parse(stdout) as readonly Listed[]).map(({ session }) => session);
  };

  it('shows the metadata that callers set', async () => {
    const { items } = await page('sort=opened');
    expect(items).toMatchObject([
      { session: 'one', title: 'Fix the Date parser', agent: 'codex', project: 'dates', labels: {} },
      { session: 'two', title: null, agent: 'claude-code', labels: { team: 'core', ci: '' } },
      { session: 'three', title: 'Release 100% of it', agent: null, project: null, labels: { team: 'web' } },
    ]);
    for (const item of items) expect(item).toHaveProperty('lastActivityAt');
  });

  it.each<[string, string[]]>([
    ['', ['three', 'two', 'one']],
    ['agent=codex', ['one']],
    ['project=dates', ['two', 'one']],
    ['project=dates&agent=codex', ['one']],
    ['label=team', ['three', 'two']],
    ['label=team%3Dcore', ['two']],
    ['label=team&label=ci%3D', ['two']],
    ['label=team%3Dno', []],
    ['state=normal', ['two', 'one']],
    ['parent=two', ['three']],
    ['parent=three', []],
    ['minOccupancy=2000', ['three', 'two']],
    ['title=date', ['one']],
    ['title=100%25', ['three']],
    ['title=%25', ['three']],
    ['sort=lastActivity', ['one', 'two', 'three']],
    ['sort=-occupancy', ['three', 'two', 'one']],
    ['sort=occupancy', ['one', 'two', 'three']],
    ['sort=-opened', ['three', 'two', 'one']],
  ])('filtered by "%s" contains %j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('is filtered and sorted alike by options of the command line', async () => {
    const all = ['--project', 'dates', '--agent', 'codex', '--title', 'date', '--state', 'normal'];
    expect(await cliFound(...all)).toEqual(['one']);
    expect(await cliFound('--label', 'team', '--label', 'ci=', '--min-occupancy', '1k')).toEqual(['two']);
    expect(await cliFound('--parent', 'two')).toEqual(['three']);
    expect(await cliFound('--sort', '-occupancy', '--limit', '2')).toEqual(['three', 'two']);
  });

  it.each(['-lastActivity', 'occupancy', '-occupancy', 'opened', '-opened'])(
    'shows each session on one page when sorted by %s',
    async (sort) => {
      const all = await found(`sort=${sort}`);
      const paged: string[] = [];
      for (let cursor = ''; ; ) {
        const { items, next } = await page(`sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        paged.push(...items.map(({ session }) => session));
        if (next === null) break;
        cursor = next;
      }
      expect(paged).toEqual(all);
    },
  );

  it.each([
    ['agnt=codex', /unknown field "agnt" \(did you mean "agent"\?\)/],
    ['sort=ocupancy', /did you mean "occupancy"\?/],
    ['state=warnin', /give one of normal, warning, critical, blocking \(did you mean "warning"\?\)/],
    ['label==x', /give name or name=value/],
    ['minOccupancy=-1', /minOccupancy/],
    ['parent=a%20b', /parent: give letters, digits/],
    ['cursor=xyz', /pass `next` of the previous page/],
  ])('is rejected with a suggestion for %s', async (query, problem) => {
    const { status, body } = await api.call('GET', `/v1/sessions?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body).replaceAll('\\"', '"')).toMatch(problem);
  });

  it('rejects a cursor of another sort order', async () => {
    const { next } = await page('sort=occupancy&limit=1');
    const { status, body } = await api.call('GET', `/v1/sessions?sort=-occupancy&cursor=${next}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });

  it('fits 80 columns, and accepts the singular `session`', async () => {
    const { stdout } = await cli('session');
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^session +active +occupancy +state +title +agent +project/);
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines[1]).toMatch(/^three +now +\d+(\.\d)?k\/10k +\w+ +Release 100% of it +– +–/);
    expect((await cli('sessions', '--agent', 'none')).stdout).toBe('no session passes these filters\n');
  });

  it('reflects changes of title, project and labels, whose values the audit omits', async () => {
    await ok('POST', '/v1/sessions', {
      session: 'four',
      title: 'Draft',
      labels: { team: 'core', old: 'yes' },
    });
    const change = { title: 'Final words', project: 'docs', labels: { old: null, new: 'yes' } };
    expect(await ok('PATCH', '/v1/sessions/four/settings', change)).toMatchObject({
      title: 'Final words',
      project: 'docs',
      labels: { team: 'core', new: 'yes' },
      changed: ['title', 'project', 'labels'],
    });
    expect(await ok('PATCH', '/v1/sessions/four/settings', change)).toMatchObject({ changed: [] });
    expect(await ok('GET', '/v1/sessions/four')).toMatchObject({ title: 'Final words', project: 'docs' });
    expect(await found('title=final')).toEqual(['four']);
    expect(await found('label=new')).toEqual(['four']);
    expect(await found('label=old')).toEqual([]);
    await ok('POST', '/v1/sessions/four/messages', { messages: [{ role: 'user', content: 'Go on.' }] });
    const context = JSON.stringify(await ok('GET', '/v1/sessions/four/context'));
    expect(context).toContain('Go on.');
    expect(context).not.toMatch(/Final words|docs|core/);
    await ok('POST', '/v1/sessions/four/reset', { confirm: true });
    expect(await ok('GET', '/v1/sessions/four')).toMatchObject({ title: 'Final words', project: 'docs' });
    const none = await cli('settings', 'four', '--title', '', '--remove-label', 'new', '--json');
    expect(JSON.parse(none.stdout)).toMatchObject({ title: null, project: 'docs', labels: { team: 'core' } });
    const fork = { as: 'five' };
    await ok('POST', '/v1/sessions/four/fork', fork);
    expect(await ok('GET', '/v1/sessions/five')).toMatchObject({ title: null, project: 'docs' });
    const { items } = (await ok('GET', '/v1/audit?session=four&type=SessionDescribed')) as {
      readonly items: readonly object[];
    };
    expect(items.at(-1)).toMatchObject({
      payload: { title: { length: 11 }, labels: 2, changed: ['title', 'project', 'labels'] },
    });
    expect(JSON.stringify(items)).not.toContain('Final');
  });

  it('rejects metadata beyond its limits', async () => {
    for (const given of [
      { title: 'x'.repeat(201) },
      { title: '' },
      { title: 'two\nlines' },
      { agent: 'x'.repeat(65) },
      { project: 'x'.repeat(257) },
      { labels: { team: null } },
    ])
      expect(await api.call('POST', '/v1/sessions', { session: 'odd', ...given })).toMatchObject({
        status: 400,
      });
    const labels = (prefix: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${prefix}${at}`, 'x']));
    await ok('POST', '/v1/sessions', { session: 'full', labels: labels('a') });
    expect(await api.call('PATCH', '/v1/sessions/full/settings', { labels: labels('b') })).toMatchObject({
      status: 400,
      body: { code: 'invalid-settings' },
    });
  });

  it('shows a gateway client’s agent by its user agent or its header', async () => {
    const ask = async (session: string, headers: Readonly<Record<string, string>>) => {
      anthropic.reply(answer('Done.'));
      const body = {
        model: 'claude-opus-4-6',
        max_tokens: 64,
        messages: [{ role: 'user', content: session }],
      };
      const response = await fetch(`${api.url}/gateway/anthropic/v1/messages`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
          ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session, 'x-api-key': 'the-providers-key' },
          ...headers,
        },
        body: JSON.stringify(body),
      });
      expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
      return ok('GET', `/v1/sessions/${session}`);
    };
    const claude = { 'user-agent': 'claude-cli/2.0.14 (external, cli)' };
    expect(await ask('gw-1', claude)).toMatchObject({ agent: 'claude-code', project: null });
    const given = { 'x-palimpsest-agent': 'mine', 'x-palimpsest-project': 'dates' };
    expect(await ask('gw-2', { ...claude, ...given })).toMatchObject({ agent: 'mine', project: 'dates' });
    expect(await ask('gw-3', { 'user-agent': 'Anthropic/JS 0.70.0' })).toMatchObject({ agent: null });
  });

  // Holds rule 11.20.
  it('shows the metadata of imported transcripts', async () => {
    const record = (type: string, more: object) =>
      JSON.stringify({ type, sessionId: 'claude-1', cwd: '/srv/parser', ...more });
    const said = (uuid: string, role: string, text: string) =>
      record(role, { uuid, parentUuid: null, message: { role, content: text, model: 'claude-x' } });
    const lines = [
      JSON.stringify({ type: 'summary', summary: 'Words of a model', leafUuid: 'a1' }),
      said('u1', 'user', 'Fix it.'),
      said('a1', 'assistant', 'Done.'),
      record('custom-title', { customTitle: 'My parser' }),
    ];
    const send = (transcript: readonly string[]) =>
      api.call('POST', '/v1/imports?label=team%3Dcore', transcript.join('\n'), {
        'content-type': 'application/x-ndjson',
      });
    expect(await send(lines)).toMatchObject({ status: 200 });
    const expected = {
      title: 'My parser',
      agent: 'claude-code',
      project: 'parser',
      labels: { team: 'core' },
    };
    expect(await ok('GET', '/v1/sessions/claude-1')).toMatchObject(expected);
    await ok('PATCH', '/v1/sessions/claude-1/settings', { title: 'Mine' });
    expect(await send(lines)).toMatchObject({ status: 200 });
    expect(await ok('GET', '/v1/sessions/claude-1')).toMatchObject({ title: 'Mine' });
  });

  it('finds sessions by user and customer, from the API and the gateway', async () => {
    await ok('POST', '/v1/sessions', { session: 'ours', user: 'u-1', customer: 'acme', labels: { ci: '' } });
    anthropic.reply(answer('Good morning.'));
    const asked = await api.call(
      'POST',
      '/gateway/anthropic/v1/messages',
      {
        ...{
          model: 'claude-opus-4-6',
          max_tokens: 100,
          tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
        },
        messages: [{ role: 'user', content: 'Hello.' }],
      },
      {
        'x-palimpsest-key': KEY,
        'x-api-key': 'the-providers-key',
        'anthropic-version': '2023-06-01',
        'x-claude-code-session-id': 'an-agents-own-id',
        'x-palimpsest-title': 'Gr%C3%B6%C3%9Fe',
        'x-palimpsest-user': 'u-2',
        'x-palimpsest-customer': 'acme',
        'x-palimpsest-labels': 'team=a%2Cb, ci',
      },
    );
    expect(asked).toMatchObject({ status: 200 });
    expect(asked.headers.get('x-palimpsest-session')).toBe('an-agents-own-id');
    const { items } = await page('customer=acme&sort=opened');
    expect(items).toMatchObject([
      { session: 'ours', labels: { user: 'u-1', customer: 'acme', ci: '' } },
      {
        session: 'an-agents-own-id',
        title: 'Größe',
        labels: { user: 'u-2', customer: 'acme', team: 'a,b', ci: '' },
      },
    ]);
    expect(await found('customer=acme&user=u-2')).toEqual(['an-agents-own-id']);
    expect(await cliFound('--customer', 'acme', '--user', 'u-1')).toEqual(['ours']);
    const changed = await ok('PATCH', '/v1/sessions/ours/settings', { customer: null, user: 'u-3' });
    expect(changed).toMatchObject({ labels: { user: 'u-3', ci: '' } });
  });

  it('sums usage and audit rows by the current labels of sessions', async () => {
    const work = async (session: string, inputTokens: number, given: object) => {
      await ok('POST', '/v1/sessions', { session, window: 100_000, ...given });
      const messages = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: 'Done.' },
      ];
      const usage = { inputTokens, outputTokens: 1 };
      await ok('POST', `/v1/sessions/${session}/messages`, { messages, usage });
    };
    await work('sum-1', 300, { customer: 'c-1', user: 'u-1', project: 'shop', labels: { team: 'core' } });
    await work('sum-2', 5_000, { customer: 'c-2', user: 'u-1', project: 'shop', labels: { team: '' } });
    await work('sum-3', 40, { customer: 'c-1', agent: 'codex', project: 'shop' });
    type Sums = { readonly groups: readonly { readonly key: string | null; readonly calls: number }[] };
    const usage = async (query: string) =>
      ((await ok('GET', `/v1/usage?project=shop&${query}`)) as Sums).groups.map(({ key, calls }) => [
        key,
        calls,
      ]);
    expect(await usage('by=session')).toHaveLength(3);
    expect(await usage('by=customer')).toEqual([
      ['c-2', 1],
      ['c-1', 2],
    ]);
    expect(await usage('by=user')).toEqual([
      ['u-1', 2],
      [null, 1],
    ]);
    expect(await usage('by=label:team')).toEqual([
      ['', 1],
      ['core', 1],
      [null, 1],
    ]);
    expect(await usage('by=session&customer=c-1')).toEqual([
      ['sum-1', 1],
      ['sum-3', 1],
    ]);
    expect(await usage('by=agent&label=team')).toEqual([[null, 2]]);
    expect(await usage('by=day&user=u-9')).toEqual([]);
    const cliUsage = JSON.parse(
      (await cli('usage', '--by', 'label:team', '--customer', 'c-1', '--json')).stdout,
    );
    expect(cliUsage).toMatchObject({
      groups: [
        { key: 'core', tokens: { input: 300, output: 1 } },
        { key: null, tokens: { input: 40 } },
      ],
      total: { calls: 2 },
    });
    expect((await cli('usage', '--by', 'customer', '--project', 'shop', '--format', 'csv')).stdout).toMatch(
      /^customer,source,billed_tokens,.*\r?\nc-2,live,5001,.*\r?\nc-1,live,342,/,
    );
    const mistaken = await cli('usage', '--by', 'custmer');
    expect(mistaken.exitCode).toBe(2);
    expect(mistaken.stderr).toMatch(/did you mean "customer"\?/);

    const counted = (await ok(
      'GET',
      '/v1/audit/totals?by=customer&type=UsageReported&project=shop',
    )) as object;
    expect(counted).toMatchObject({
      events: 3,
      groups: [
        { key: 'c-1', events: 2 },
        { key: 'c-2', events: 1 },
      ],
    });
    const byLabel = await cli(
      'audit',
      '--by',
      'label:team',
      '--type',
      'UsageReported',
      '--customer',
      'c-1',
      '--json',
    );
    expect(JSON.parse(byLabel.stdout)).toMatchObject({ events: 2, groups: [{ events: 1 }, { events: 1 }] });
    const rows = await cli(
      'audit',
      '--user',
      'u-1',
      '--label',
      'team=core',
      '--type',
      'UsageReported',
      '--json',
    );
    expect(JSON.parse(rows.stdout)).toMatchObject([{ session: 'sum-1' }]);
    expect(await ok('GET', '/v1/compactions?customer=c-1')).toMatchObject({ items: [] });

    await ok('PATCH', '/v1/sessions/sum-3/settings', { customer: 'c-2' });
    expect(await usage('by=customer')).toEqual([
      ['c-2', 2],
      ['c-1', 1],
    ]);
    const reads = JSON.stringify(await ok('GET', '/v1/audit/reads?limit=200'));
    // By a key of the tenant: a digest without one would confirm a guess after the customer is erased.
    expect(reads).toMatch(/"customer":"sub_[\w-]{22}"/);
    for (const guess of ['c-1', 'u-1', 'core'])
      expect(reads).not.toContain(createHash('sha256').update(guess).digest('hex'));
    expect(reads).not.toMatch(/"c-1"|u-1|=core/);
  });

  it.each([
    ['usage?by=custmer', /did you mean \\?"customer\\?"\?/],
    ['usage?by=label:', /or label:NAME for a label/],
    ['usage?by=', /give one of day, model/],
    ['usage?label==x', /give name or name=value/],
    ['usage?customer=', /"detail":"the request is invalid: customer: give at least 1 character"/],
    ['audit/totals?by=labels', /give one of type, day/],
    ['audit/totals', /by/],
    [`audit?user=${'x'.repeat(300)}`, /"detail":"the request is invalid: user: give at most 256 characters"/],
    [`audit?label=${'x'.repeat(400)}`, /label/],
    ['compactions?project=%00', /invalid: project: give a text without control characters/],
  ])('is told what is valid for %s', async (path, problem) => {
    const { status, body } = await api.call('GET', `/v1/${path}`);
    expect({ status, text: JSON.stringify(body) }).toEqual({
      status: 400,
      text: expect.stringMatching(problem),
    });
  });
});
