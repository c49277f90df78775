import { openReadModels } from '@app/adapters/read-model-postgres';
import type { Cost } from '@app/domain';
import { Actor, CompactionId, ErasureId, IsoTime, NanoUsd, Tokens } from '@app/kernel';
import type { UsageQuery } from '@app/ports';
import { memoryDigests } from '@app/testing';
import { billed, completed, composed, everything, opened, requested, started } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { project } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: bills and savings count once, under the billed model, even if events are redelivered. */
describe('usage by day', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());
  beforeEach(() => test.clear());

  const usage = (by: 'day' | 'model' | 'profile', days = {}) =>
    openReadModels(test.database, memoryDigests).usage({ tenant: TENANT, by, ...days });
  const SUMMARIZER = { name: 'prompted', model: 'small-1', promptVersion: 'p1', deterministic: false };

  it('counts answers under their model, and savings under the session’s', async () => {
    const log = new ScriptedLog();
    log.append([opened(), billed(500), billed(300, { model: 'claude-y', outcome: 'aborted' })]);
    log.append([requested('c-1'), started('c-1'), completed('c-1', { summarizer: SUMMARIZER })]);
    log.append([composed(), composed(400), composed(450)]);
    await project(test.database, log);
    const { groups, total } = await usage('model');
    const shown = groups.map(({ key, tokens, calls, compactions }) => [
      key,
      calls,
      tokens.input,
      compactions.tokens.input,
      compactions.countedSaved,
      compactions.smallerRequests,
      compactions.completed,
    ]);
    expect(shown).toEqual([
      ['claude-x', 1, 500, 0, 850, 2, 1],
      ['claude-y', 1, 300, 0, 0, 0, 0],
      ['small-1', 0, 0, 700, 0, 0, 0],
    ]);
    expect(total).toMatchObject({
      calls: 2,
      tokens: { input: 800 },
      compactions: { countedSaved: 850, requests: 3 },
    });
    expect((await usage('profile')).groups.map(({ key }) => key)).toEqual(['core']);
    expect((await usage('day', { from: '2026-01-01', to: '2026-01-01' })).groups).toHaveLength(1);
    expect((await usage('day', { from: '2026-01-02' })).groups).toEqual([]);
  });

  it('counts a provider’s own compaction once, although two events report it', async () => {
    const log = new ScriptedLog();
    const edited = everything('words').filter(({ type }) => type === 'ProviderContextEdited');
    log.append([opened(), ...edited]);
    log.append([
      {
        type: 'CompactionDuplicated',
        data: {
          compactionId: CompactionId('c-1'),
          attempt: 1,
          worker: 'provider',
          usage: {
            inputTokens: Tokens(30),
            cacheReadTokens: Tokens(0),
            cacheWriteTokens: Tokens(0),
            outputTokens: Tokens(6),
          },
          applied: { worker: 'w-1' },
        },
      },
    ]);
    await project(test.database, log);
    const { compactions } = (await usage('day')).total;
    expect(compactions.tokens).toMatchObject({ input: 30, output: 6 });
    expect(compactions.doubleRuns.runs).toBe(1);
  });

  it('assigns imported usage to its own days, separate from live traffic', async () => {
    const at = IsoTime('2025-03-04T05:06:07Z');
    const transcript = { source: 'transcript' as const };
    const log = new ScriptedLog();
    log.append([opened(), billed(500), billed(300, { ...transcript, at }), billed(20, transcript)]);
    log.append([
      requested('c-1'),
      completed('c-1', { summarizer: SUMMARIZER, imported: { format: 'pi', at } }),
    ]);
    await project(test.database, log);
    const { groups, live, import: imported, total } = await usage('day');
    expect(groups.map(({ key, source, tokens }) => [key, source, tokens.input])).toEqual([
      ['2025-03-04', 'import', 300],
      ['2026-01-01', 'live', 500],
      ['2026-01-01', 'import', 20],
    ]);
    expect(groups[0]?.compactions).toMatchObject({ completed: 1, tokens: { input: 700 } });
    expect([live.tokens.input, imported.tokens.input, total.tokens.input]).toEqual([500, 320, 820]);
    expect(live.compactions.completed).toBe(0);
  });

  it('sums sessions by their current metadata, and none of it once that is erased', async () => {
    const log = new ScriptedLog();
    log.append([opened({ project: 'shop', labels: { customer: 'c-1', team: 'core' } }), billed(500)]);
    await project(test.database, log);
    const sums = async (query: Omit<UsageQuery, 'tenant'>) =>
      (await openReadModels(test.database, memoryDigests).usage({ tenant: TENANT, ...query })).groups.map(
        ({ key, tokens }) => [key, tokens.input],
      );
    expect(await sums({ by: 'customer' })).toEqual([['c-1', 500]]);
    expect(await sums({ by: 'label:team', project: 'shop' })).toEqual([['core', 500]]);
    expect(await sums({ by: 'model', labels: [{ name: 'customer', value: 'c-2' }] })).toEqual([]);
    expect(await sums({ by: 'model', labels: [{ name: 'customer' }] })).toEqual([['claude-x', 500]]);
    expect(await sums({ by: 'label:__proto__' })).toEqual([[null, 500]]);
    const by = { by: Actor('an-admin'), at: IsoTime('2026-01-02T00:00:00Z'), scope: 'session' } as const;
    const erased = { erasure: ErasureId('era_0123456789abcdef'), ...by, turn: 1, isDescriptionErased: true };
    const left = { restored: null, compactions: 0, occupancyAfter: Tokens(0) };
    log.append([{ type: 'ContentErased', data: { ...erased, ...left } }]);
    await project(test.database, log);
    expect(await sums({ by: 'customer' })).toEqual([[null, 500]]);
    expect(await sums({ by: 'session' })).toEqual([[SESSION, 500]]);
  });

  it('sums beyond the range of PostgreSQL’s bigint and JavaScript’s numbers', async () => {
    const log = new ScriptedLog();
    const largest = Number.MAX_SAFE_INTEGER;
    for (let batch = 0; batch < 11; batch += 1)
      log.append([...(batch === 0 ? [opened()] : []), ...Array.from({ length: 100 }, () => billed(largest))]);
    await project(test.database, log);
    const rows = await test.query('select sum(input_tokens)::text as sum from read.usage_by_day');
    expect(rows).toEqual([{ sum: String(1_100n * BigInt(largest)) }]);
    expect((await usage('day')).total.tokens.input).toBe(Number(1_100n * BigInt(largest)));
  });

  it('sums all tenants for the operator, one row per tenant', async () => {
    const log = new ScriptedLog();
    log.append([opened(), billed(500)]);
    await project(test.database, log);
    const { groups } = await openReadModels(test.database, memoryDigests).usage({
      tenant: 'all',
      by: 'tenant',
    });
    expect(groups.map(({ key, tokens }) => [key, tokens.input])).toEqual([[TENANT, 500]]);
  });

  it('sums dollars, and reports the number of tokens without a price', async () => {
    const paid = (nanoUsd: number): Cost => ({ nanoUsd: NanoUsd(nanoUsd), prices: [] });
    const unknown: Cost = {
      prices: [],
      unpriced: [{ model: 'claude-y', reason: 'unknown-model', tokens: Tokens(310) }],
    };
    const log = new ScriptedLog();
    log.append([
      ...[opened(), billed(500, { cost: paid(2_000_000_001) }), billed(300, { cost: paid(3) })],
      billed(300, { model: 'claude-y', cost: unknown }),
      billed(300, { model: 'older' }),
    ]);
    log.append([requested('c-1'), started('c-1')]);
    log.append([completed('c-1', { summarizer: SUMMARIZER, cost: paid(7) })]);
    await project(test.database, log);
    const { groups, total } = await usage('model');
    expect(groups.map(({ key, cost, compactions }) => [key, cost, compactions.cost])).toEqual([
      ['claude-x', { nanoUsd: 2_000_000_004, unpricedTokens: 0 }, { nanoUsd: 0, unpricedTokens: 0 }],
      ['claude-y', { nanoUsd: null, unpricedTokens: 310 }, { nanoUsd: 0, unpricedTokens: 0 }],
      ['older', { nanoUsd: null, unpricedTokens: expect.any(Number) }, { nanoUsd: 0, unpricedTokens: 0 }],
      ['small-1', { nanoUsd: 0, unpricedTokens: 0 }, { nanoUsd: 7, unpricedTokens: 0 }],
    ]);
    expect(total.cost.nanoUsd).toBe(2_000_000_004);
    const [compaction] = await openReadModels(test.database, memoryDigests).compactions({
      tenant: TENANT,
      limit: 10,
    });
    expect(compaction?.cost).toEqual({ nanoUsd: 7, unpricedTokens: 0 });
  });

  it('is not counted again on redelivery, and old rows get columns of an upgrade', async () => {
    const log = new ScriptedLog();
    log.append(everything('words'));
    await project(test.database, log);
    const { checkpoints: _, ...before } = await test.snapshot();
    await test.query(
      'update read.audit_events set trigger = null, outcome = null, profile = null, model = null',
    );
    await test.query('truncate read.audit_sessions, read.audit_compactions');
    await test.query(
      "update read.projection_checkpoint set position = null, events = 0 where projection = 'audit_events'",
    );
    const models = openReadModels(test.database, memoryDigests);
    expect(await models.audit({ tenant: TENANT, session: SESSION, limit: 1_000 })).toHaveLength(
      before.audit_events.length,
    );
    await project(test.database, log);
    const { checkpoints: __, ...after } = await test.snapshot();
    expect(after).toEqual(before);
  });
});
