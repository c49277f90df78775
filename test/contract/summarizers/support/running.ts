import { AppendMessages, ChangeSettings, CompactionRunner, type Pace } from '@app/application';
import { Actor, type CompactionId, IsoTime, type JsonObject } from '@app/kernel';
import type { Summarizer } from '@app/ports';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  quarterCounter,
  recordedEvents,
  requestCompaction,
  sessionRef,
  textMessage,
} from '@app/testing';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const never = new AbortController().signal;

/** A clock that advances only when code waits. */
export const paced = (): Pace & { readonly waits: number[] } => {
  const waits: number[] = [];
  return {
    waits,
    now: () => IsoTime(new Date(NOW + waits.reduce((sum, wait) => sum + wait, 0))),
    pause: async (milliseconds, signal) => {
      signal.throwIfAborted();
      waits.push(milliseconds);
    },
  };
};

const ORDER = 'Never touch src/core/parser.ts, and keep MAX_RETRIES at 7: it is what E_TOO_MANY needs.';

/** The session `some` with an instruction and twelve turns, under the policy `core` with overrides. */
export const playedSession = async (overrides: JsonObject = {}): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, sessionRef());
  const said = [textMessage('order', ORDER), textMessage('yes', 'I keep that in mind.', 'assistant')];
  await application.commands.execute(new AppendMessages(sessionRef(), said, caller));
  await playTurns(application, sessionRef(), 0, 12);
  await application.commands.execute(new ChangeSettings(sessionRef(), { overrides }, caller));
  return application;
};

export type Chain = readonly [Summarizer, ...Summarizer[]];

type CompactedOptions = {
  readonly facts?: Summarizer;
  readonly pace?: Pace;
  /** Stops the worker. */
  readonly signal?: AbortSignal;
};

/** Compacts it with these summarizers in turn, and returns the new events. */
export const compacted = async (
  application: Application,
  chain: Chain,
  { facts, pace = paced(), signal = never }: CompactedOptions = {},
) => {
  const before = (await recordedEvents(application.log, sessionRef())).length;
  const { compactionId } = await requestCompaction(application, sessionRef());
  await runnerOf(application, chain, { ...(facts && { facts }), pace }).run(
    sessionRef(),
    compactionId,
    'cause',
    signal,
  );
  return sinceIn(application, before, compactionId);
};

const runnerOf = (
  { sessions, commands }: Application,
  chain: Chain,
  options: Omit<CompactedOptions, 'signal'>,
): CompactionRunner =>
  new CompactionRunner({
    ...{ sessions, commands, counter: quarterCounter, worker: Actor('w1') },
    summarizers: { choose: async () => chain },
    ...options,
  });

const sinceIn = async ({ log }: Application, before: number, id: CompactionId) => {
  const events = (await recordedEvents(log, sessionRef())).slice(before);
  return {
    id,
    events,
    types: events.map(({ type }) => type),
    started: events.flatMap((event) => (event.type === 'CompactionStarted' ? [event.data] : [])),
    failed: events.flatMap((event) => (event.type === 'CompactionAttemptFailed' ? [event.data] : [])),
    completed: events.flatMap((event) => (event.type === 'CompactionCompleted' ? [event.data] : [])).at(0),
  };
};
