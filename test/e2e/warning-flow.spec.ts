import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@app/kernel';
import { CliFolder } from '../support/cli.js';
import type { EventLine } from '../support/cli-shapes.js';

/** Returns words that every tokenizer counts as about one token. */
const words = (count: number): string => 'river '.repeat(count).trim();
const turns = (from: number, to: number): readonly object[] =>
  Array.from({ length: to - from + 1 }, (_, at) => [
    { role: 'user', content: `What did you find in part ${from + at}?` },
    { role: 'assistant', content: `In part ${from + at} I found: ${words(690)}` },
  ]).flat();

const SESSION = 'flow';
/** The maximum of billed tokens after the compaction, as the warning promises. */
const PROMISED = 4_800;
let folder: CliFolder;
beforeAll(async () => {
  folder = await CliFolder.shared();
  await folder.one('open', SESSION, '--profile', 'authorized', '--window', '10k', '--system', 'Be brief.');
});
afterAll(() => folder.remove());

const append = async (messages: readonly object[], ...more: string[]): Promise<JsonObject> => {
  const file = join(folder.data, 'said.jsonl');
  await writeFile(file, messages.map((message) => JSON.stringify(message)).join('\n'));
  return folder.one<JsonObject>('append', SESSION, file, ...more);
};
const compose = (...more: string[]) => folder.one<JsonObject>('compose', SESSION, ...more);
const refusal = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await folder.attempt(...args, '--json');
  expect(exitCode).toBe(1);
  return { stdout, stderr };
};
const recorded = async (...types: string[]): Promise<readonly EventLine[]> =>
  (await folder.lines<EventLine>('events', SESSION)).filter(({ type }) => types.includes(type));

/** Guarantee: scenario 1, a session that is compacted only at its user's request. */
describe('session of the profile authorized on the command line', () => {
  it('warns at 82 %, in the log and in a banner, and continues', async () => {
    const usage = ['--usage', 'input=7000,cacheRead=1000,output=200'];
    expect(await append(turns(1, 11), ...usage)).toMatchObject({
      appended: 22,
      turn: 11,
      occupancy: 8_200,
      window: 10_000,
      state: 'warning',
      compaction: null,
    });
    expect(await compose()).toMatchObject({
      outcome: 'composed',
      banner: {
        state: 'warning',
        occupancy: 8_200,
        threshold: 8_000,
        window: 10_000,
        remedies: [
          { remedy: 'compact', billedAfter: PROMISED },
          { remedy: 'reset' },
          { remedy: 'use-larger-model' },
        ],
      },
    });
    expect(await recorded('WarningThresholdReached', 'CompactionRequested')).toMatchObject([
      { type: 'WarningThresholdReached', data: { occupancy: 8_200, threshold: 8_000, turn: 11 } },
    ]);
  });

  it('is at about 34 % of counted tokens after its user’s compaction, keeps the warning’s promise, and warns no more', async () => {
    expect(await folder.one('compact', SESSION)).toMatchObject({ outcome: 'completed', trigger: 'explicit' });
    const [applied] = await recorded('CompactionApplied');
    expect(applied?.data).toMatchObject({ billedBefore: 8_200, warningCleared: true });
    const share = Number(applied?.data.countedAfter) / 10_000;
    expect(share).toBeGreaterThan(0.29);
    expect(share).toBeLessThan(0.39);
    // One bill cannot determine the overhead per request: the estimate stays within the promise.
    expect(applied?.data.billedAfter).toBeGreaterThan(Number(applied?.data.countedAfter));
    expect(applied?.data.billedAfter).toBeLessThanOrEqual(PROMISED);
    expect(await compose()).toMatchObject({ outcome: 'composed', state: 'normal', banner: null });
  });

  it('refuses requests at 96 %, with remedies', async () => {
    await append(turns(12, 14), '--usage', 'input=9500,output=100', '--complete-turn');
    await append([{ role: 'user', content: 'Go on.' }]);
    const { stdout, stderr } = await refusal('compose', SESSION);
    expect(stderr).toMatch(/compact .* reset .* --override .*\[request-refused\]$/m);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'refused',
      reason: 'compaction-required',
      state: 'critical',
      turn: 15,
      remedies: [
        { remedy: 'compact' },
        { remedy: 'reset' },
        { remedy: 'override' },
        { remedy: 'shorten' },
        { remedy: 'use-larger-model' },
      ],
    });
  });

  it('continues for one turn on a recorded override; the next turn is refused again', async () => {
    expect(await compose('--override', '--reason', 'the last answer')).toMatchObject({
      outcome: 'composed',
      state: 'critical',
    });
    expect(await recorded('CompactionOverridden')).toMatchObject([
      { actor: 'cli', data: { turn: 15, reason: 'the last answer' } },
    ]);
    await append([{ role: 'assistant', content: 'Gone on.' }], '--complete-turn');
    await append([{ role: 'user', content: 'And further.' }]);
    const { stdout } = await refusal('compose', SESSION);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'refused', turn: 16 });
  });

  it('is reset after confirmation only', async () => {
    expect((await refusal('reset', SESSION)).stderr).toMatch(/\[confirmation-required\]$/m);
    expect(await folder.one('reset', SESSION, '--confirm')).toMatchObject({ reset: true });
    expect(await compose()).toMatchObject({ outcome: 'composed', state: 'normal', banner: null });
  });
});
