/**
 * The cost of composing: the next request of a session of 150,000 tokens in the cache, compared with `JSON.stringify`
 * of that request; and the next context of a cached session after one more message, at very different lengths.
 */
import { AppendMessages, AppendMessagesHandler, type SessionRef, SessionStore } from '@app/application';
import {
  compose,
  historyIn,
  manifestOf,
  NO_MODELS,
  type OpenSession,
  textBlock,
  WIRE_FORMATS,
} from '@app/domain';
import { Actor, IsoTime, invariant, MessageId, SessionId, TenantId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type RunningStore, withEventStore } from './support/event-store.js';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report, whole } from './support/report.js';
import { median, millisecondsOf, ratioOf, takeTurns } from './support/rounds.js';
import { recordSession } from './support/sessions/record-session.js';
import { constantCounter } from './support/sessions/texts.js';

const PROMISED = { stringify: 1.5, length: 1.3 };
/** Sessions grow to four fifths of it: 150,000 tokens. */
const LARGE = 187_500;
const WINDOW = 32_768;
/** Number of compositions per measurement, since a single one is below the clock's resolution. */
const TIMES = 10;
const ROUNDS = 60;
const WARM_UPS = 40;

const { quick, folder } = readInvocation();
const LENGTHS = quick ? [1_000, 10_000] : [1_000, 1_000_000];

const refOf = (name: string): SessionRef => ({ tenant: TenantId('bench'), session: SessionId(name) });
const openOf = async (sessions: SessionStore, ref: SessionRef): Promise<OpenSession> => {
  const { state } = await sessions.load(ref);
  invariant(state.status === 'open', 'the session was opened');
  return state;
};
const repeated = (work: () => unknown) => () =>
  millisecondsOf(() => {
    for (let time = 0; time < TIMES; time += 1) work();
  });

const measureStringify = async (log: EventLog): Promise<void> => {
  const ref = refOf('large');
  await recordSession(log, ref, { length: 100, window: LARGE });
  const session = await openOf(new SessionStore(log), ref);
  const measured: string[][] = [];
  for (const format of WIRE_FORMATS) {
    const { request } = compose(manifestOf(session), format);
    const took = await takeTurns(
      {
        compose: repeated(() => compose(manifestOf(session), format)),
        stringify: repeated(() => JSON.stringify(request)),
      },
      { rounds: ROUNDS, warmUps: WARM_UPS },
    );
    const [composing = [], writing = []] = [took.get('compose'), took.get('stringify')];
    measured.push([
      format,
      whole(JSON.stringify(request).length),
      whole(historyIn(request).length),
      ...[
        fixed(median(composing) / TIMES),
        fixed(median(writing) / TIMES),
        fixed(ratioOf(composing, writing)),
      ],
    ]);
  }
  report(
    `compose: a request of 150,000 tokens takes ${measured.map((cells) => cells.at(-1)).join(' and ')} times as long as ` +
      `JSON.stringify of it (promised ≤ ${PROMISED.stringify})`,
    ['format', 'characters', 'messages', 'compose, ms', 'stringify, ms', 'ratio'],
    measured,
  );
};

const noModels = { catalogFor: () => Promise.resolve(NO_MODELS) };
const clock = { now: () => IsoTime(new Date()) };

/** Appends a message, and composes the next context in a process with the session in its cache. */
const nextContextOf = (log: EventLog, ref: SessionRef) => {
  const sessions = new SessionStore(log);
  const appending = new AppendMessagesHandler({
    sessions,
    counter: constantCounter,
    models: noModels,
    clock,
    log,
  });
  let messages = 0;
  return async (): Promise<number> => {
    messages += 1;
    const message = {
      id: MessageId(`more-${messages}`),
      role: 'user',
      blocks: [textBlock('and now?')],
    } as const;
    await appending.execute(new AppendMessages(ref, [message], { actor: Actor('key:bench') }));
    return millisecondsOf(async () => compose(manifestOf(await openOf(sessions, ref)), 'anthropic'));
  };
};

const measureLength = async (log: EventLog): Promise<void> => {
  const contestants: [string, () => Promise<number>][] = [];
  for (const length of LENGTHS) {
    const ref = refOf(`events-${length}`);
    const recorded = await recordSession(log, ref, { length, window: WINDOW });
    note(`recorded ${whole(recorded)} events`);
    contestants.push([whole(recorded), nextContextOf(log, ref)]);
  }
  const took = await takeTurns(Object.fromEntries(contestants), { rounds: ROUNDS, warmUps: WARM_UPS });
  const [shortest = [], longest = []] = [...took.values()];
  const [short, long] = [...took.keys()];
  report(
    `compose: the next context of a hot session of ${long} events takes ${fixed(ratioOf(longest, shortest))} times as ` +
      `long as that of one of ${short} (promised ≤ ${PROMISED.length})`,
    ['events in the session', 'median ms', 'ratio'],
    [...took].map(([name, times]) => [name, fixed(median(times)), fixed(ratioOf(times, shortest))]),
  );
};

await withEventStore(folder, async ({ log }: RunningStore) => {
  await measureStringify(log);
  await measureLength(log);
});
