/**
 * The time to rebuild a context in sessions of very different length with the same end: the state from the log,
 * without caches, and the request composed from it. The promise: it does not depend on the length. Long sessions are
 * compared with one of a thousand events. Then the context of a session of 200,000 tokens that is not in the cache.
 */
import { readTail, type SessionRef, SessionStore, streamOf } from '@app/application';
import { compose, manifestOf } from '@app/domain';
import { invariant, SessionId, TenantId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type RunningStore, withEventStore } from './support/event-store.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, quantile, ratioOf, takeTurns } from './support/rounds.js';
import { recordSession } from './support/sessions/record-session.js';

const PROMISED = 1.3;
const WINDOW = 32_768;
/** Sessions grow to four fifths of it: 200,000 tokens. */
const LARGE = 250_000;
const COLD_MS_MAX = 10;
const ROUNDS = 60;
const WARM_UPS = 10;

type Recording = { readonly ref: SessionRef; readonly length: number; readonly eventsRead: number };

const { quick, folder } = readInvocation();
const LENGTHS = quick ? [1_000, 10_000, 100_000] : [1_000, 100_000, 1_000_000];

const recordOne = async (log: EventLog, length: number, window = WINDOW): Promise<Recording> => {
  const ref = { tenant: TenantId('bench'), session: SessionId(`events-${length}-${window}`) };
  let recorded = 0;
  const took = await millisecondsOf(async () => {
    recorded = await recordSession(log, ref, { length, window });
  });
  note(`recorded ${whole(recorded)} events in ${fixed(took / 1_000, 1)} s`);
  const { eventsRead } = await readTail(log, streamOf(ref));
  return { ref, length: recorded, eventsRead };
};

const rebuildOf =
  (log: EventLog, { ref }: Recording) =>
  async (): Promise<void> => {
    const { state } = await new SessionStore(log).load(ref);
    invariant(state.status === 'open', 'the session was opened');
    const { violations } = compose(manifestOf(state), 'anthropic');
    invariant(violations.length === 0, 'the context is one that its provider accepts');
  };

const measure = async ({ log }: RunningStore): Promise<void> => {
  const recordings: Recording[] = [];
  for (const length of LENGTHS) recordings.push(await recordOne(log, length));
  const contestants = recordings.map((recording) => {
    const rebuild = rebuildOf(log, recording);
    return [recording.ref.session, () => millisecondsOf(rebuild)] as const;
  });
  const took = await takeTurns(Object.fromEntries(contestants), { rounds: ROUNDS, warmUps: WARM_UPS });
  const timesOf = ({ ref }: Recording): readonly number[] => took.get(ref.session) ?? [];

  const [shortest] = recordings;
  const longest = recordings.at(-1);
  invariant(shortest && longest, 'sessions exist');
  const ratio = ratioOf(timesOf(longest), timesOf(shortest));
  report(
    `rebuild: a context of ${whole(longest.length)} events takes ${fixed(ratio)} times as long as one of ` +
      `${whole(shortest.length)} (promised ≤ ${PROMISED})`,
    ['events in the session', 'events read', 'median ms', '10 % … 90 %', 'ratio'],
    recordings.map((recording) => {
      const times = timesOf(recording);
      return [
        whole(recording.length),
        whole(recording.eventsRead),
        fixed(median(times), 1),
        `${fixed(quantile(times, 0.1), 1)} … ${fixed(quantile(times, 0.9), 1)}`,
        fixed(ratioOf(times, timesOf(shortest))),
      ];
    }),
  );
};

const measureLarge = async ({ log }: RunningStore): Promise<void> => {
  const recording = await recordOne(log, 1_000, LARGE);
  const rebuild = rebuildOf(log, recording);
  const took = await takeTurns(
    { cold: () => millisecondsOf(rebuild) },
    { rounds: ROUNDS, warmUps: WARM_UPS },
  );
  const times = took.get('cold') ?? [];
  report(
    `rebuild: a cold context of 200,000 tokens takes ${fixed(median(times), 1)} ms (promised ≤ ${COLD_MS_MAX})`,
    ['events in the session', 'events read', 'median ms', '90 %'],
    [
      [
        whole(recording.length),
        whole(recording.eventsRead),
        fixed(median(times), 1),
        fixed(quantile(times, 0.9), 1),
      ],
    ],
  );
};

await withEventStore(folder, async (store) => {
  await measure(store);
  await measureLarge(store);
});
