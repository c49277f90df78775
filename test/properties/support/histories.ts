import type { OpenSession, SessionEvent } from '@app/domain';
import { type Carried, play, type Script, type SessionRun, scripts } from '@app/testing';
import fc from 'fast-check';

/** Uses the same histories in every run unless the environment sets another seed. */
export const runsOf = (numRuns: number): { numRuns: number; seed: number } => ({
  numRuns,
  seed: Number(process.env.PALIMPSEST_SEED ?? 20_261_121),
});

/** Scripts of the seed, in order: the properties of a file share the same histories, played once. */
let drawn: readonly Script[] = [];
const played: SessionRun[] = [];
const historyAt = (at: number): SessionRun => {
  const known = played[at];
  if (known) return known;
  if (at >= drawn.length) drawn = fc.sample(scripts(), runsOf(Math.max(250, 2 * at)));
  const script = drawn[at];
  if (!script) throw new Error(`no history ${at}`);
  const history = play(script);
  played[at] = history;
  return history;
};

/** Repeats a failing property with fast-check, which shrinks the script and reports it. */
const shrunk = (holdsForAll: () => void, property: () => void): void => {
  try {
    holdsForAll();
  } catch (error) {
    property();
    throw error;
  }
};

/** Checks a property for `runs` generated histories. */
export const everyHistory = (holds: (history: SessionRun) => void, runs = 250): void =>
  shrunk(
    () => {
      for (let at = 0; at < runs; at += 1) holds(historyAt(at));
    },
    () =>
      fc.assert(
        fc.property(scripts(), (script) => holds(play(script))),
        runsOf(runs),
      ),
  );

type Completed = Extract<SessionEvent, { type: 'CompactionCompleted' }>['data'];
type Started = Extract<SessionEvent, { type: 'CompactionStarted' }>['data'];
/** A compaction in force: its plan, and the session before and after. */
export type Compacted = {
  readonly started: Started;
  readonly completed: Completed;
  readonly atStart: OpenSession;
  readonly before: OpenSession;
  readonly after: OpenSession;
};

/** Limits histories without a compaction per one with. */
const IDLE_PER_RUN = 10;

/** Checks a property for every completed compaction of many histories; histories without one do not count. */
export const everyCompaction = (holds: (compaction: Compacted) => void, runs = 150): void =>
  shrunk(
    () => {
      for (let at = 0, held = 0; held < runs; at += 1) {
        if (at > runs * IDLE_PER_RUN) throw new Error(`only ${held} of ${at} histories have a compaction`);
        const compactions = compactionsOf(historyAt(at));
        if (compactions.length > 0) held += 1;
        for (const compaction of compactions) holds(compaction);
      }
    },
    () =>
      fc.assert(
        fc.property(scripts(), (script) => {
          const compactions = compactionsOf(play(script));
          fc.pre(compactions.length > 0); // Too many skipped histories fail the test.
          for (const compaction of compactions) holds(compaction);
        }),
        runsOf(runs),
      ),
  );

const compactionsOf = ({ carried, stream, states }: SessionRun): Compacted[] =>
  carried.flatMap(({ events, before }): Compacted[] => {
    const completed = events.find((event) => event.type === 'CompactionCompleted')?.data;
    // Later events of the same append are not part of the compaction.
    const after = states[stream.findIndex(({ event }) => event.data === completed) + 1];
    if (!completed || before.status !== 'open' || after?.status !== 'open') return [];
    const start = carried.findLast((one) => startedBy(one, completed) !== undefined);
    const started = start && startedBy(start, completed);
    return start?.before.status === 'open' && started
      ? [{ started, completed, atStart: start.before, before, after }]
      : [];
  });

const startedBy = ({ events }: Carried, { compactionId, attempt }: Completed): Started | undefined =>
  events
    .filter((event) => event.type === 'CompactionStarted')
    .map(({ data }) => data)
    .find((data) => data.compactionId === compactionId && data.attempt === attempt);

/** The interval of commands at which a session is sampled; states around compactions are always included. */
const STRIDE = 8;

/** Returns the states of a history: its last, those around each compaction, and samples in between. */
export const sessionsOf = ({ carried }: SessionRun): OpenSession[] => {
  const isCompaction = ({ events }: Carried) => events.some(({ type }) => type === 'CompactionCompleted');
  const chosen = carried.filter(
    (one, at) => at === carried.length - 1 || isCompaction(one) || at % STRIDE === STRIDE - 1,
  );
  return chosen.flatMap(({ after }) => (after.status === 'open' ? [after] : []));
};
