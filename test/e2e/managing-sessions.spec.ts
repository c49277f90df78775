import { fileURLToPath } from 'node:url';
import { CliFolder } from '../support/cli.js';
import type { ContextAnswer, EventLine, ImportLine } from '../support/cli-shapes.js';
import { contextFaults } from '../support/context-faults.js';

const SAMPLE = fileURLToPath(new URL('../../samples/agent-session.json', import.meta.url));

let folder: CliFolder;
let session: string;
beforeAll(async () => {
  folder = await CliFolder.shared();
  session = (await folder.one<ImportLine>('import', SAMPLE, '--window', '32k')).session;
});
afterAll(() => folder.remove());

const context = async (of = session, ...more: string[]): Promise<ContextAnswer> => {
  const answer = await folder.one<ContextAnswer>('context', of, ...more);
  expect(contextFaults('anthropic', answer.request, [])).toEqual([]);
  return answer;
};
const refusal = async (...args: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await folder.attempt(...args);
  expect({ exitCode: exitCode > 0, stdout }).toEqual({ exitCode: true, stdout: '' });
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
};

/** Guarantee: a sequence of commands on a session gives the documented results. */
describe('session management on the command line', () => {
  it('reverts a compaction byte for byte, once', async () => {
    await folder.one('settings', session, '--set', 'keepRecentTurns=1');
    const before = await context();
    const { compactionId } = await folder.one<{ compactionId: string }>('compact', session);
    expect((await context()).pivot).toBe(compactionId);
    const reverted = await folder.one<object>('revert', session, compactionId);
    expect(reverted).toMatchObject({ session, compactionId, restored: before.pivot });
    expect(JSON.stringify((await context()).request)).toBe(JSON.stringify(before.request));
    expect(await refusal('revert', session, compactionId)).toMatch(/\[compaction-not-revertible\]$/m);
  });

  it('pins content, which every request contains, and unpins it', async () => {
    const before = await context();
    const pins = await folder.one<readonly object[]>('pin', session, 'Never touch main.', '--id', 'rule');
    expect(pins).toEqual([{ id: 'rule', kind: 'constraint', tokens: expect.any(Number) }]);
    const pinned = await context();
    expect(JSON.stringify(pinned.request)).toContain('Never touch main.');
    expect(pinned.tokens).toBeGreaterThan(before.tokens);
    expect(await folder.one<readonly object[]>('unpin', session, 'rule')).toEqual([]);
    expect(JSON.stringify((await context()).request)).toBe(JSON.stringify(before.request));
    expect(await refusal('unpin', session, 'rule')).toMatch(/\[pin-not-found\]$/m);
    expect(await refusal('pin', session, '--id', 'rule')).toMatch(/\[invalid-settings\]$/m);
  });

  it('resets the history after confirmation, and restores it', async () => {
    const before = await context();
    expect(await refusal('reset', session)).toMatch(/\[confirmation-required\]$/m);
    const reset = await folder.one<{ clearedMessages: number }>('reset', session, '--confirm');
    expect(reset.clearedMessages).toBeGreaterThan(0);
    expect((await context()).tokens).toBeLessThan(before.tokens / 2);
    await folder.one('revert', session);
    expect(JSON.stringify((await context()).request)).toBe(JSON.stringify(before.request));
  });

  it('changes settings from the next request on', async () => {
    const changed = await folder.one<object>(
      'settings',
      session,
      '--set',
      'keepRecentTurns=2',
      '--window',
      '64k',
    );
    expect(changed).toMatchObject({
      changed: ['keepRecentTurns', 'window'],
      window: 64_000,
      profile: { keepRecentTurns: 2 },
    });
    expect((await context()).window).toBe(64_000);
    expect(await folder.one<object>('settings', session)).toMatchObject({ changed: [] });
    for (const [field, takes] of [
      ['keepRecentTurns=0', 'a whole number from 1'],
      ['mode=manual', 'one of automatic, authorized'],
      ['nonsense=1', 'has no field'],
    ])
      expect(await refusal('settings', session, '--set', String(field))).toContain(takes);
  });

  it('forks the session as of a revision, with the same request', async () => {
    const events = await folder.lines<EventLine>('events', session);
    const first = events.find(({ type }) => type === 'CompactionRequested')?.revision ?? 0;
    const then = await context(session, '--as-of', String(first));
    const fork = await folder.one<{ session: string }>('fork', session, '--at', String(first));
    expect(fork).toMatchObject({ session: `${session}-fork-${first}`, from: { revision: first } });
    const forked = await context(fork.session);
    expect(JSON.stringify(forked.request)).toBe(JSON.stringify(then.request));
    expect(await refusal('fork', session, '--at', String(first))).toMatch(/\[session-already-open\]$/m);
    const rows = await folder.one<readonly { session: string; occupancy: number }[]>('sessions');
    expect(rows.find((row) => row.session === fork.session)?.occupancy).toBe(forked.tokens);
  });

  it('closes the session, which stays readable', async () => {
    const before = await context();
    expect(await folder.one<object>('close', session)).toEqual({ session, closed: true });
    expect(await refusal('pin', session, 'x', '--id', 'y')).toMatch(/\[session-closed\]$/m);
    expect(await refusal('compact', session)).toMatch(/\[session-closed\]$/m);
    expect(JSON.stringify((await context()).request)).toBe(JSON.stringify(before.request));
  });
});
