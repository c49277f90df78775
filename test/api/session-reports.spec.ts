import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

type Row = { readonly type: string; readonly session: string; readonly payload: Record<string, unknown> };

/** Returns a text of about `count` counted tokens. */
const words = (count: number): string => 'word '.repeat(count).trim();
const MODEL = 'claude-opus-4-6';

/** Guarantee: audit rows and explanations over HTTP describe the whole history of a session. */
describe('reports about a session over HTTP', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start({ PALIMPSEST_SUMMARIZER: 'extractive' });
  });
  afterAll(() => api.stop());

  const ok = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await api.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  const opened = (session: string, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    ok('POST', '/v1/sessions', { session, model: MODEL, window: 10_000, ...more });
  const say = (session: string, ...messages: readonly unknown[]): Promise<unknown> =>
    ok('POST', `/v1/sessions/${session}/messages`, { messages });
  const turn = (n: number, tokens: number): readonly unknown[] => [
    { role: 'user', content: `Turn ${n}. ${words(tokens / 2)}` },
    { role: 'assistant', content: `Answer ${n}. ${words(tokens / 2)}` },
  ];
  /** Returns the audit rows of a session, oldest first, once it has `times` rows of `type`. */
  const rowsWith = async (session: string, type: string, times = 1): Promise<readonly Row[]> => {
    for (;;) {
      const { items } = await ok<{ items: readonly Row[] }>(
        'GET',
        `/v1/audit?session=${session}&sort=position&limit=200`,
      );
      if (items.filter((row) => row.type === type).length >= times) return items;
      await pause(20);
    }
  };
  const of = (rows: readonly Row[], type: string): readonly Record<string, unknown>[] =>
    rows.filter((row) => row.type === type).map(({ payload }) => payload);
  const compacted = (session: string): Promise<Record<string, unknown>> =>
    ok('POST', `/v1/sessions/${session}/compactions?wait=true`, {});

  it('are as of one revision on the page of a session that goes on, with a proof of every event shown', async () => {
    await opened('busy', { profile: 'core' });
    const compact = async (): Promise<void> => {
      for (let n = 1; n <= 6; n += 1) await say('busy', ...turn(n, 600));
      await compacted('busy');
    };
    await compact();
    let isDone = false;
    const writes = (async () => {
      while (!isDone) await compact();
    })();
    const page = await api.call('GET', '/v1/sessions/busy/page?content=clear').finally(() => {
      isDone = true;
    });
    await writes;
    expect(page.status).toBe(200);
    const dataOf = (id: string): string =>
      new RegExp(`<script id="${id}" type="application/json">(.*)</script>`).exec(String(page.body))?.[1] ??
      '';
    const { answers }: { answers: Record<string, string> } = JSON.parse(dataOf('recording'));
    const at = '/v1/sessions/busy';
    const read = <Body>(path: string): Body => JSON.parse(answers[`GET ${at}${path}`] ?? 'null');
    const { revision, compactions } = read<{ revision: number; compactions: number }>('');
    const events = (answers[`GET ${at}/events`] ?? '').trimEnd().split('\n');
    const last: { revision: number } = JSON.parse(events.at(-1) ?? '');
    expect(last.revision).toBe(revision);
    for (const path of [
      '/occupancy?bins=600',
      '/occupancy?bins=600&axis=time',
      '/retention-map?from=0&turns=500',
    ])
      expect([path, read<{ revision: number }>(path).revision]).toEqual([path, revision]);
    const listed = read<{ items: readonly { outcome: string | null }[] }>('/compactions?limit=500').items;
    expect(listed.filter(({ outcome }) => outcome === 'completed')).toHaveLength(compactions);
    const count = (type: string) => events.filter((line) => line.includes(`"type":"${type}"`)).length;
    expect(listed).toHaveLength(count('CompactionRequested'));
    const shown = Object.keys(answers).filter((path) => path.startsWith(`GET ${at}/messages/`));
    expect(shown).toHaveLength(count('MessageAppended'));
    const proven: string = JSON.parse(dataOf('proof'));
    expect(proven).toContain(`"revision":${revision}`);
  });

  // Holds rule 5.41.
  it('state that protected turns stay under a raised target below the trigger', async () => {
    await opened('kept', { profile: 'authorized' });
    for (let n = 1; n <= 8; n += 1) await say('kept', ...turn(n, 1_000));
    const { plan } = await ok<{ plan: Record<string, unknown> }>('POST', '/v1/sessions/kept/plan', {});
    expect(plan).toMatchObject({ targetRaised: { reason: 'the 4 protected turns stay whole' } });
    expect(plan.protection).toBeUndefined();
    const outcome = await compacted('kept');
    expect(outcome).toMatchObject({ outcome: 'completed', protection: null });
    const { turns } = await ok<{ turns: readonly { rule: string }[] }>(
      'GET',
      `/v1/sessions/kept/compactions/${String(outcome.compactionId)}`,
    );
    expect(turns.filter(({ rule }) => rule === 'verbatim')).toHaveLength(4);
  });

  // Holds rule 5.43.
  it('state with numbers that protected turns were dropped, in plan, outcome, explanation and audit row', async () => {
    await opened('yields', { profile: 'authorized' });
    for (let n = 1; n <= 5; n += 1) await say('yields', ...turn(n, 1_700));
    const yielded = {
      by: 'turns',
      wanted: 4,
      kept: expect.any(Number),
      countedUnreduced: expect.any(Number),
      countedLimit: expect.any(Number),
    };
    const { plan } = await ok<{ plan: object }>('POST', '/v1/sessions/yields/plan', {});
    expect(plan).toMatchObject({ protection: yielded });
    const outcome = await compacted('yields');
    expect(outcome).toMatchObject({ outcome: 'completed', protection: yielded });
    const explained = await ok('GET', `/v1/sessions/yields/compactions/${String(outcome.compactionId)}`);
    expect(explained).toMatchObject({ plan: { protection: yielded } });
    const rows = await rowsWith('yields', 'CompactionApplied');
    expect(of(rows, 'CompactionStarted')).toMatchObject([{ protection: yielded }]);
    expect(of(rows, 'CompactionCompleted')).toMatchObject([{ protection: yielded }]);
  });

  // Holds rule 4.14.
  it('contain an event for every threshold crossed, up to blocking and down to normal', async () => {
    await opened('crossing', { profile: 'authorized' });
    await say('crossing', ...turn(1, 4_000), ...turn(2, 3_000), { role: 'user', content: words(3_000) });
    const refused = await api.call('POST', '/v1/sessions/crossing/compose', {});
    expect(refused.status).toBe(409);
    await api.call('POST', '/v1/sessions/crossing/compose', {});
    expect((await compacted('crossing')).outcome).toBe('completed');
    const rows = await rowsWith('crossing', 'OccupancyFell', 2);
    const crossings = [
      'WarningThresholdReached',
      'CompactionRequired',
      'BlockingThresholdReached',
      'OccupancyFell',
    ];
    expect(rows.map(({ type }) => type).filter((type) => crossings.includes(type))).toEqual([
      'WarningThresholdReached',
      'CompactionRequired',
      'BlockingThresholdReached',
      'OccupancyFell',
      'OccupancyFell',
      'OccupancyFell',
    ]);
    expect(of(rows, 'OccupancyFell').map(({ below, state }) => [below, state])).toEqual([
      ['blocking', 'normal'],
      ['critical', 'normal'],
      ['warning', 'normal'],
    ]);
  });

  // Holds rule 4.15.
  it('contain a threshold hit per automatic compaction, also if requireAtShare is below the trigger', async () => {
    const profile = { name: 'late', extends: 'core', triggerAtShare: 1, keepRecentTurns: 1 };
    await opened('late', { profile });
    await say('late', ...turn(1, 4_000), ...turn(2, 4_000), { role: 'user', content: words(1_600) });
    await ok('POST', '/v1/sessions/late/compose', {});
    const rows = await rowsWith('late', 'CompactionApplied');
    expect(of(rows, 'CompactionThresholdHit')).toMatchObject([{ by: 'required', threshold: 9_500 }]);
  });

  // Holds rule 5.95.
  it('name each loss, find it across sessions, and keep names out of audit rows', async () => {
    await opened('losing', { profile: 'core' });
    const lines = Array.from({ length: 400 }, (_, at) => `The file src/part${at}/module-${at}.ts is odd.`);
    await say(
      'losing',
      { role: 'user', content: 'Look around.' },
      { role: 'assistant', content: lines.join('\n') },
      ...turn(2, 400),
      ...turn(3, 400),
      ...turn(4, 400),
      ...turn(5, 400),
    );
    const { compactionId } = await compacted('losing');
    const path = `/v1/sessions/losing/compactions/${String(compactionId)}`;
    type Explained = { readonly lost: { readonly names: readonly { name: string; kind: string }[] } };
    const explained = await ok<Explained>('GET', path);
    expect(explained.lost.names.length).toBeGreaterThan(20);
    const name = explained.lost.names.find(({ kind }) => kind === 'paths')?.name ?? '';
    expect(name).not.toBe('');
    const rows = await rowsWith('losing', 'CompactionApplied');
    const row = JSON.stringify(of(rows, 'CompactionCompleted'));
    expect(row).not.toContain(name);
    // No digest that a reader of the row can make of a guess is in it.
    const parts = [name, name.toLowerCase(), ...name.toLowerCase().split('/')];
    const guesses = parts.flatMap((part) => [part, `default\n${part}`, `default ${part}`]);
    const digests = guesses.map((guess) => createHash('sha256').update(guess).digest('hex').slice(0, 12));
    expect(digests.filter((digest) => row.includes(digest))).toEqual([]);
    const found = async (text: string): Promise<readonly string[]> =>
      (await ok<{ items: readonly Row[] }>('GET', `/v1/audit?lost=${encodeURIComponent(text)}`)).items.map(
        ({ session }) => session,
      );
    expect(await found(name)).toEqual(['losing']);
    expect(await found(name.slice(name.lastIndexOf('/') + 1))).toEqual(['losing']);
    expect(await found('nowhere/never-seen.ts')).toEqual([]);
    const { key } = await ok<{ key: string }>('POST', '/v1/keys', { role: 'auditor' });
    const seen = await api.call('GET', path, undefined, { authorization: `Bearer ${key}` });
    expect(seen).toMatchObject({ status: 200, body: { withheld: ['lost'] } });
    expect(JSON.stringify(seen.body)).not.toContain(name);
  });

  // Holds rule 5.96.
  it('state the author of the summary, its cost, the retained tail and the touched files', async () => {
    await opened('told', { profile: 'core' });
    const call = (id: string, command: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'bash', input: { command } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
    ];
    await say(
      'told',
      { role: 'user', content: 'Tidy up.' },
      ...call('c1', 'cat src/read.ts && rm src/gone.ts'),
      ...call('c2', 'git mv src/old.ts src/new.ts'),
      { role: 'assistant', content: words(2_000) },
      ...[2, 3, 4, 5].flatMap((n) => turn(n, 400)),
    );
    expect(await compacted('told')).toMatchObject({
      outcome: 'completed',
      attempts: 1,
      summarizer: { name: 'extractive', deterministic: true },
      cost: null,
      retainedFrom: expect.any(String),
      fileOperations: {
        read: ['src/read.ts'],
        modified: ['src/new.ts'],
        deleted: ['src/gone.ts'],
        renamed: [{ from: 'src/old.ts', to: 'src/new.ts' }],
      },
    });
  });

  // Holds rule 5.75.
  it('state that two consecutive compactions above the trigger made no progress, and that automatic ones stop', async () => {
    const profile = {
      name: 'heavy',
      extends: 'core',
      keepRecentTurns: 1,
      triggerAtShare: 0.3,
      warnAtShare: 0.9,
      breakerFailures: 1,
      maxSummaryTokens: 500,
    };
    await opened('heavy', { profile, system: words(3_200) });
    await say('heavy', ...turn(1, 1_500));
    for (let n = 2; n <= 4; n += 1) {
      await say('heavy', ...turn(n, 1_500));
      await compacted('heavy');
    }
    const rows = await rowsWith('heavy', 'CompactionCircuitOpened');
    expect(of(rows, 'CompactionMadeNoProgress')[0]).toMatchObject({ compactions: 2, threshold: 3_000 });
    expect(of(rows, 'CompactionCircuitOpened')[0]).toMatchObject({ failures: 1, cooldownTurns: 5 });
    const { compactionId } = await ok<{ compactionId?: string }>('POST', '/v1/sessions/heavy/messages', {
      messages: turn(5, 1_500),
    });
    expect(compactionId ?? null).toBeNull();
    await ok('POST', '/v1/sessions/heavy/compose', {});
    const after = await rowsWith('heavy', 'RequestComposed');
    const stopped = after.findLastIndex(({ type }) => type === 'CompactionCircuitOpened');
    expect(of(after.slice(stopped), 'CompactionRequested')).toEqual([]);
  });
});
