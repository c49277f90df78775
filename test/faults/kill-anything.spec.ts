// Kills any process of the product at random moments of an import, several times in one folder, and checks that the
// next command finds everything intact. The expectations do not depend on the moments. With other moments or recorded
// sessions:
//   PALIMPSEST_FAULT_ROUNDS=50 PALIMPSEST_FAULT_SEED=7 npm test -- test/faults/kill-anything
//   PALIMPSEST_FAULT_TRANSCRIPT=session.jsonl PALIMPSEST_FAULT_WINDOW=32k npm test -- test/faults/kill-anything
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../support/random.js';
import { expectWhole } from './support/expect-whole.js';
import { Folders } from './support/folders.js';
import { faultsOf, type History, historyOf, imported, lines } from './support/histories.js';
import { faultOf, killDuring, VICTIMS } from './support/killing.js';
import { output, run } from './support/palimpsest.js';

const ROUNDS = Number(process.env.PALIMPSEST_FAULT_ROUNDS ?? 1);
const SEED = Number(process.env.PALIMPSEST_FAULT_SEED ?? 1);
const KILLS = 3;

const random = new Random(SEED);
const folders = new Folders();
const file = process.env.PALIMPSEST_FAULT_TRANSCRIPT ?? folders.transcript();
const window = process.env.PALIMPSEST_FAULT_WINDOW ?? '8k';
let undisturbed: History;
let session: string;
/** The duration of an import, over which the moments are distributed. */
let importMs: number;

const importing = (data: string): string[] => ['import', '--data', data, '--window', window, file];

beforeAll(async () => {
  const data = folders.next();
  await output(['sessions', '--data', data]);
  const startedAt = performance.now();
  session = await imported(importing(data));
  importMs = performance.now() - startedAt;
  undisturbed = await historyOf(data, session);
});

afterAll(() => folders.remove());

it('compacts several times in an undisturbed import', () => {
  expect(undisturbed.events.filter(({ type }) => type === 'CompactionCompleted').length).toBeGreaterThan(1);
  expect(faultsOf(undisturbed)).toEqual([]);
});

/** Returns the recorded events; none if the session has not been opened yet. */
const recorded = async (data: string): Promise<History['events']> => {
  const { code, stdout, stderr } = await run(['events', session, '--data', data]);
  if (code === 0) return lines(stdout);
  expect(stderr).toMatch(/^palimpsest: [^\n]+\[session-not-found\]\n$/);
  return [];
};

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
    await output(importing(data));
    await expectWhole(data, session, undisturbed);
  });
});
