import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@app/kernel';
import { CliFolder } from '../support/cli.js';
import type { EventLine } from '../support/cli-shapes.js';

let folder: CliFolder;
beforeAll(async () => {
  folder = await CliFolder.shared();
  const system = join(folder.data, 'system.txt');
  await writeFile(system, 'You look for bugs.');
  await folder.one('open', 'main', '--window', '10k', '--system', `@${system}`, '--label', 'team=core');
});
afterAll(() => folder.remove());

const fileOf = async (text: string): Promise<string> => {
  const file = join(folder.data, 'said.txt');
  await writeFile(file, text);
  return file;
};
const append = async (session: string, messages: readonly object[], ...more: string[]): Promise<JsonObject> =>
  folder.one('append', session, await fileOf(JSON.stringify(messages)), ...more);
const refusal = async (...args: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await folder.attempt(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  return stderr.trim();
};
const events = (session: string): Promise<readonly EventLine[]> => folder.lines('events', session);
const typesIn = async (session: string): Promise<readonly string[]> =>
  (await events(session)).map(({ type }) => type);

const turns = (from: number, to: number): readonly object[] =>
  Array.from({ length: to - from + 1 }, (_, at) => [
    { role: 'user', content: `What about part ${from + at}?` },
    { role: 'assistant', content: `Part ${from + at}: ${'river '.repeat(500)}` },
  ]).flat();

/** Guarantee: the command line suffices to run a session from its first message to its last. */
describe('messages on the command line', () => {
  it('are rejected as a whole if one line is invalid, which is named', async () => {
    const lines = ['{"role":"user","content":"hello"}', '', '{"role":"user","content":[{"type":"text"}]}'];
    const file = await fileOf(lines.join('\n'));
    expect(await refusal('append', 'main', file)).toBe(
      `palimpsest: line 3 of ${file} is no message: block 1 of its content lacks a required member of its type; nothing was appended [invalid-message]`,
    );
    expect(await typesIn('main')).toEqual(['SessionOpened']);
  });

  it('are appended once, even if the file is given again', async () => {
    const messages = turns(1, 6);
    expect(await append('main', messages)).toMatchObject({ appended: 12, known: 0, turn: 6 });
    expect(await append('main', messages)).toMatchObject({ appended: 0, known: 12, turn: 6 });
    const [opened] = await events('main');
    expect(opened?.data).toMatchObject({ systemPrompt: 'You look for bugs.', labels: { team: 'core' } });
  });

  it('are followed by a waiting compaction at the end of the turn', async () => {
    const first = await folder.one<JsonObject>('compact', 'main', '--after-turn');
    expect(first).toMatchObject({ outcome: 'deferred' });
    expect(await folder.one('compact', 'main', '--after-turn')).toMatchObject({
      outcome: 'deferred',
      compactionId: first.compactionId,
    });
    expect(await folder.one('complete-turn', 'main')).toEqual({
      session: 'main',
      turn: 6,
      completed: true,
      compaction: { compactionId: first.compactionId, outcome: 'completed' },
    });
    const types = await typesIn('main');
    expect(types.slice(types.indexOf('CompactionDeferred'))).toEqual([
      'CompactionDeferred',
      'TurnCompleted',
      'CompactionRequested',
      'CompactionStarted',
      'CompactionCompleted',
      'CompactionApplied',
    ]);
  });

  it('allow no compaction in the middle of a turn if the profile forbids it; the error names the remedy', async () => {
    await append('main', turns(7, 12));
    await folder.one('settings', 'main', '--set', 'explicitMidTurn=refuse');
    expect(await refusal('compact', 'main')).toMatch(/--after-turn.*\[turn-in-progress\]$/);
    expect(await folder.one('compact', 'main', '--trigger', 'policy')).toMatchObject({
      outcome: 'completed',
      trigger: 'policy',
    });
  });

  it('are appended without automatic compactions during a hold', async () => {
    await folder.one('defer', 'main', '--until', 'released', '--reason', 'a migration');
    const held = await append('main', turns(13, 18), '--usage', 'input=8300,output=100');
    expect(held).toMatchObject({ state: 'warning', occupancy: 8_400, compaction: null });
    const deferred = (await events('main')).findLast(({ type }) => type === 'CompactionDeferred');
    expect(deferred?.data).toMatchObject({ trigger: 'threshold', by: 'cli', reason: 'a migration' });
    expect(await folder.one('release', 'main')).toEqual({
      session: 'main',
      released: true,
      compaction: { compactionId: deferred?.data.compactionId, outcome: 'completed' },
    });
    expect(await folder.one('explain', 'main', String(deferred?.data.compactionId))).toMatchObject({
      outcome: { status: 'completed' },
      why: { deferred: [{ until: 'released', by: 'cli', reason: 'a migration' }] },
    });
  });

  it('open a child session with its mandate, which its parent knows while it runs', async () => {
    expect(await refusal('open', 'lost', '--parent', 'nobody')).toMatch(/\[session-not-found\]$/);
    await folder.one('open', 'child', '--parent', 'main', '--mandate', 'Look at part 3.', '--window', '10k');
    const pinned = (await events('child')).find(({ type }) => type === 'ContentPinned');
    expect(pinned?.data).toMatchObject({ pin: { kind: 'mandate', text: 'Look at part 3.' } });
    const last = (await events('main')).at(-1);
    expect(last?.data).toMatchObject({ pin: { kind: 'children', text: 'child' } });
    await folder.one('close', 'child');
    expect((await events('main')).at(-1)?.type).toBe('ContentUnpinned');
  });
});
