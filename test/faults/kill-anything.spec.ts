// Kills any process of the product at random moments of an import, several times in one folder, and checks that the
// next command finds everything intact. The expectations do not depend on the moments. With other moments or recorded
// sessions:
//   PALIMPSEST_FAULT_ROUNDS=50 PALIMPSEST_FAULT_SEED=7 npm test -- test/faults/kill-anything
//   PALIMPSEST_FAULT_TRANSCRIPT=session.jsonl PALIMPSEST_FAULT_WINDOW=32k npm test -- test/faults/kill-anything
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../support/random.js';
import { Shell } from '../support/shell/shell.js';
import { expectWhole } from './support/expect-whole.js';
import { Folders } from './support/folders.js';
import { faultsOf, type History, historyOf, imported, lines, list, said } from './support/histories.js';
import { faultOf, killDuring, VICTIMS } from './support/killing.js';
import { output } from './support/palimpsest.js';

const ROUNDS = Number(process.env.PALIMPSEST_FAULT_ROUNDS ?? 1);
const SEED = Number(process.env.PALIMPSEST_FAULT_SEED ?? 1);
const KILLS = 3;

const random = new Random(SEED);
const folders = new Folders();
const file = process.env.PALIMPSEST_FAULT_TRANSCRIPT ?? folders.unnamedTranscript();
const window = process.env.PALIMPSEST_FAULT_WINDOW ?? '8k';
let undisturbed: History;
/** The duration of an import, over which the moments are distributed. */
let importMs: number;

const importing = (data: string): string[] => ['import', '--data', data, '--window', window, file];

beforeAll(async () => {
  const data = folders.next();
  await output(['sessions', '--data', data]);
  const startedAt = performance.now();
  const session = await imported(importing(data));
  importMs = performance.now() - startedAt;
  undisturbed = await historyOf(data, session);
});

afterAll(() => folders.remove());

it('compacts several times in an undisturbed import', () => {
  expect(undisturbed.events.filter(({ type }) => type === 'CompactionCompleted').length).toBeGreaterThan(1);
  expect(faultsOf(undisturbed)).toEqual([]);
});

/**
 * Returns the recorded events of the imported session; none if it has not been opened yet. The ID of a session whose
 * transcript has none is derived with the key of its folder: each folder has another one.
 */
const recorded = (data: string): Promise<History['events']> =>
  Shell.on(data, async (shell) => {
    const [opened] = list(said(await shell.run(['sessions', '--json'])));
    return opened ? lines(said(await shell.run(['events', String(opened.session), '--json']))) : [];
  });

const rounds = Array.from({ length: ROUNDS }, () =>
  Array.from({ length: KILLS }, () => ({ victim: random.of(VICTIMS), at: random.below(1_000) })),
);
const named = rounds.map((kills) => ({
  kills,
  name: kills.map(({ victim, at }) => `${victim} at ${at} ‰`).join(', '),
}));

describe.each(named)('repeatedly killed import: $name', ({ kills }) => {
  it('loses and duplicates nothing, and leaves nothing open', async () => {
    const data = folders.next();
    let before: History['events'] = [];
    for (const { victim, at } of kills) {
      const ended = await killDuring(importing(data), { data, victim, afterMs: (importMs * at) / 1_000 });
      expect(faultOf(ended)).toBeUndefined();
      const after = await recorded(data);
      expect(after.slice(0, before.length)).toEqual(before);
      before = after;
    }
    await expectWhole(data, await imported(importing(data)), undisturbed);
  });
});
