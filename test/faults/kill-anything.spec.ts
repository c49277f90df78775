// Kills any process of the product at any moment, and looks whether the next command finds everything in order. The
// moments are random, what is expected does not depend on them. Many rounds by hand:
//   PALIMPSEST_FAULT_ROUNDS=50 PALIMPSEST_FAULT_SEED=7 npm test -- test/faults/kill-anything
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventsOf, faultsOf, type History, historyOf, list, rowsOf } from './support/histories.js';
import { type Ended, output, run, start } from './support/palimpsest.js';
import { killAll, type Process, processesOf } from './support/processes.js';
import { Random } from './support/random.js';
import { transcript } from './support/transcript.js';

const ROUNDS = Number(process.env.PALIMPSEST_FAULT_ROUNDS ?? 1);
const SEED = Number(process.env.PALIMPSEST_FAULT_SEED ?? 1);
const ROUND_MS = 300_000;
const VICTIMS = ['cli', 'event-store', 'supervisor', 'postmaster', 'backend', 'all'] as const;
type Victim = (typeof VICTIMS)[number];

const random = new Random(SEED);
const home = mkdtempSync(join(tmpdir(), 'palimpsest-'));
const file = process.env.PALIMPSEST_FAULT_TRANSCRIPT ?? join(home, 'session.json');
const window = process.env.PALIMPSEST_FAULT_WINDOW ?? '8k';
let undisturbed: History;
let session: string;
/** How long an import takes here: the moments are spread over it. */
let importMs: number;
let folders = 0;

const newFolder = (): string => {
  folders += 1;
  return join(home, `data-${folders}`);
};
const importing = (data: string): string[] => ['import', '--data', data, '--window', window, '--json', file];

const victimsAmong = (processes: readonly Process[], victim: Victim): readonly Process[] =>
  processes.filter(({ role }) => victim === 'all' || role === victim);

/** Whether `one` is told in at most one line, and not as a defect of ours. */
const isCivil = ({ signal, stderr }: Ended): boolean =>
  signal === 'SIGKILL' || (/^([^\n]+\n)?$/.test(stderr) && !stderr.includes('[internal]'));

const sessionIn = (sessions: History['sessions']): string => String(sessions[0]?.session);

beforeAll(async () => {
  if (file.startsWith(home)) writeFileSync(file, transcript());
  const data = newFolder();
  await output(['sessions', '--data', data]);
  const startedAt = performance.now();
  await output(importing(data));
  importMs = performance.now() - startedAt;
  session = sessionIn((await rowsOf(data)).sessions);
  undisturbed = await historyOf(data, session);
}, ROUND_MS);

afterAll(() => {
  killAll(processesOf(home));
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
});

/** The import again, to its end; then all that the product tells is held against itself and the undisturbed run. */
const expectWhole = async (data: string, before: History['events'] = []): Promise<void> => {
  await output(importing(data));
  const history = await historyOf(data, session);
  expect(faultsOf(history)).toEqual([]);
  expect(history.messages).toEqual(undisturbed.messages);
  expect(history.events.slice(0, before.length)).toEqual(before);
  list(await output(['projections', 'rebuild', '--data', data, '--json']));
  expect(await rowsOf(data)).toEqual({ audit: history.audit, sessions: history.sessions });
  expect(processesOf(data)).toEqual([]);
};

describe('an undisturbed import', () => {
  it('compacts several times, and leaves nothing in disorder', () => {
    expect(undisturbed.events.filter(({ type }) => type === 'CompactionCompleted').length).toBeGreaterThan(2);
    expect(faultsOf(undisturbed)).toEqual([]);
  });
});

const rounds = Array.from({ length: ROUNDS }, () =>
  VICTIMS.map((victim) => ({ victim, at: random.below(1_000) })),
);
describe.each(rounds.flat())('kill -9 of $victim after $at ‰ of an import', ({ victim, at }) => {
  it(
    'loses nothing, doubles nothing, and leaves nothing open',
    async () => {
      const data = newFolder();
      await output(['sessions', '--data', data]);
      const { ended, child } = start(importing(data));
      await Promise.race([pause((importMs * at) / 1_000), ended]);
      // The first of its kind, in case there is none yet.
      while (child.exitCode === null && victimsAmong(processesOf(data), victim).length === 0) await pause(5);
      killAll(victimsAmong(processesOf(data), victim));
      const said = await ended;
      expect(isCivil(said) ? '' : said).toBe('');
      const next = await run(['events', session, '--data', data]);
      expect(next.stderr).toMatch(next.code === 0 ? /^$/ : /^palimpsest: [^\n]+\[session-not-found\]\n$/);
      const before = next.code === 0 ? await eventsOf(data, session) : [];
      await expectWhole(data, before);
    },
    ROUND_MS,
  );
});
