import type { OpenSession, SessionEvent } from '@app/domain';
import { type Carried, play, type Script, type SessionRun, scripts } from '@app/testing';
import fc from 'fast-check';

/** The same histories in every run; another seed, from the environment, gives others. */
export const runsOf = (numRuns: number): { numRuns: number; seed: number } => ({
  numRuns,
  seed: Number(process.env.PALIMPSEST_SEED ?? 20_261_121),
});

/** What the seed gives, in its order: the properties of a file are held against the same histories, played once. */
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

/** What does not hold is tried once more as fast-check does it: it looks for a short script, and reports that. */
const shrunk = (holdsForAll: () => void, property: () => void): void => {
  try {
    holdsForAll();
  } catch (error) {
    property();
    throw error;
  }
};

/** Holds a property against many generated histories; `runs` is how many. */
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
/** One compaction that came into force: what was set out to be done, and the session before and after. */
export type Compacted = {
  readonly started: Started;
  readonly completed: Completed;
  readonly atStart: OpenSession;
  readonly before: OpenSession;
  readonly after: OpenSession;
};

/** Histories without a compaction are too many where there are so many for one with. */
const IDLE_PER_RUN = 10;

/** Holds a property against every completed compaction of many histories; histories without one do not count. */
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
          fc.pre(compactions.length > 0); // A skipped history is counted: too many of them fail the test.
          for (const compaction of compactions) holds(compaction);
        }),
        runsOf(runs),
      ),
  );

const compactionsOf = ({ carried, stream, states }: SessionRun): Compacted[] =>
  carried.flatMap(({ events, before }): Compacted[] => {
    const completed = events.find((event) => event.type === 'CompactionCompleted')?.data;
    // What goes on with the session afterwards, in the same append, is no part of the compaction.
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

/** Every how many commands a session is looked at; whatever a compaction has changed is looked at always. */
const STRIDE = 8;

/** Sessions that a history went through: its last, those around each compaction, and samples between them. */
export const sessionsOf = ({ carried }: SessionRun): OpenSession[] => {
  const isCompaction = ({ events }: Carried) => events.some(({ type }) => type === 'CompactionCompleted');
  const chosen = carried.filter(
    (one, at) => at === carried.length - 1 || isCompaction(one) || at % STRIDE === STRIDE - 1,
  );
  return chosen.flatMap(({ after }) => (after.status === 'open' ? [after] : []));
};
