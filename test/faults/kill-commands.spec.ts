// Kills during other commands than import: the first start on a folder, a compaction, a rebuild, the end of a command:
//   PALIMPSEST_FAULT_ROUNDS=20 PALIMPSEST_FAULT_SEED=7 npm test -- test/faults/kill-commands
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Random } from '../support/random.js';
import { expectWhole } from './support/expect-whole.js';
import { Folders } from './support/folders.js';
import { type History, historyOf, imported, sessionsOf } from './support/histories.js';
import { faultOf, killDuring, killNow, VICTIMS } from './support/killing.js';
import { output, start } from './support/palimpsest.js';
import { processesOf } from './support/processes.js';

const ROUNDS = Number(process.env.PALIMPSEST_FAULT_ROUNDS ?? 1);
const random = new Random(Number(process.env.PALIMPSEST_FAULT_SEED ?? 1));

const folders = new Folders();
const data = folders.next();
let undisturbed: History;
let session: string;
/** The duration of the first start on a folder, and of later ones. */
let firstMs: number;
let commandMs: number;

const measured = async (command: readonly string[]): Promise<number> => {
  const startedAt = performance.now();
  await output(command);
  return performance.now() - startedAt;
};

beforeAll(async () => {
  firstMs = await measured(['sessions', '--data', data]);
  session = await imported(['import', '--data', data, '--window', '8k', folders.transcript(10)]);
  commandMs = await measured(['sessions', '--data', data]);
  undisturbed = await historyOf(data, session);
});

afterAll(() => folders.remove());

const rounds = (victims: readonly (typeof VICTIMS)[number][]) =>
  Array.from({ length: ROUNDS }, () => ({ victim: random.of(victims), at: random.below(1_000) }));

describe.each(rounds(['cli', 'event-store', 'supervisor', 'all']))(
  '$victim killed at $at ‰',
  ({ victim, at }) => {
    it('during the first start leaves a usable folder', async () => {
      const fresh = folders.next();
      const command = ['sessions', '--data', fresh, '--json'];
      const ended = await killDuring(command, { data: fresh, victim, afterMs: (firstMs * at) / 1_000 });
      expect(faultOf(ended)).toBeUndefined();
      expect(JSON.parse(await output(command))).toEqual([]);
      expect(processesOf(fresh)).toEqual([]);
    });
  },
);

const commands = rounds(VICTIMS).map((round, at) => ({
  ...round,
  command: at % 2 === 0 ? ['compact'] : ['projections', 'rebuild'],
}));
describe.each([...commands, { victim: 'all' as const, at: 900, command: ['projections', 'rebuild'] }])(
  '$victim killed at $at ‰ of $command',
  ({ victim, at, command }) => {
    // Holds rule 5.15.
    it('leaves nothing open and nothing half-built', async () => {
      const args = [...command, ...(command.includes('compact') ? [session] : []), '--data', data];
      const ended = await killDuring(args, { data, victim, afterMs: (commandMs * at) / 1_000 });
      expect(faultOf(ended)).toBeUndefined();
      await expectWhole(data, session, undisturbed);
    });
  },
);

describe.each(rounds(VICTIMS))('$victim killed while a command exits', ({ victim }) => {
  it('affects neither its result nor the next command', async () => {
    const running = start(['export', session, '--data', data]);
    if (running.child.stdout) await once(running.child.stdout, 'data');
    const ended = await killNow(running, data, victim);
    expect(faultOf(ended)).toBeUndefined();
    expect(await sessionsOf(data)).toHaveLength(1);
    expect(processesOf(data)).toEqual([]);
  });
});
