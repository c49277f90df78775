import {
  countedTarget,
  decide,
  estimatedTokens,
  freeingsOf,
  type OpenSession,
  prepare,
  type SessionCommand,
  type SessionEvent,
} from '@app/domain';
import { canonicalJson } from '@app/kernel';
import { checkBudget, complete, openOf, run, start } from '@app/testing';
import { everyCompaction, everyHistory, sessionsOf } from './support/histories.js';

/** The possible events after an attempt's result. */
const NEXT = {
  CompactionReasoningDowngraded: [
    'CompactionSummaryExceededLimit',
    'CompactionYieldedNoGain',
    'CompactionAttemptFailed',
    'CompactionCompleted',
  ],
  CompactionSummaryExceededLimit: [
    'CompactionYieldedNoGain',
    'CompactionAttemptFailed',
    'CompactionCompleted',
  ],
  CompactionYieldedNoGain: ['CompactionAttemptFailed'],
};

/** Guarantee: a started compaction ends in exactly one way, despite crashes, repetitions and delays. */
describe('lifecycle of a compaction', () => {
  // Holds rules 5.11, 8.8.
  it('is requested, attempted and ended in order, one at a time', () =>
    everyHistory(({ stream }) => {
      let open: { id: string; attempt: number; isRunning: boolean } | undefined;
      let waiting: string | undefined;
      for (const [at, { event }] of stream.entries()) {
        const next = stream[at + 1]?.event.type;
        switch (event.type) {
          case 'CompactionDeferred':
            expect(open).toBeUndefined();
            expect([undefined, event.data.compactionId]).toContain(waiting);
            waiting = event.data.compactionId;
            break;
          case 'CompactionRequested':
            expect(open).toBeUndefined();
            if (event.data.compactionId === waiting) waiting = undefined;
            open = { id: event.data.compactionId, attempt: 0, isRunning: false };
            break;
          case 'CompactionStarted':
            // A previous attempt has an outcome already.
            expect(open).toEqual({
              id: event.data.compactionId,
              attempt: event.data.attempt - 1,
              isRunning: false,
            });
            open = { id: event.data.compactionId, attempt: event.data.attempt, isRunning: true };
            break;
          case 'CompactionReasoningDowngraded':
          case 'CompactionSummaryExceededLimit':
          case 'CompactionYieldedNoGain':
            expect(open).toEqual({
              id: event.data.compactionId,
              attempt: event.data.attempt,
              isRunning: true,
            });
            expect(NEXT[event.type]).toContain(next);
            break;
          case 'CompactionAttemptFailed':
            expect(open).toEqual({
              id: event.data.compactionId,
              attempt: event.data.attempt,
              isRunning: true,
            });
            open = { id: event.data.compactionId, attempt: event.data.attempt, isRunning: false };
            break;
          case 'CompactionCompleted':
            expect(open).toEqual({
              id: event.data.compactionId,
              attempt: event.data.attempt,
              isRunning: true,
            });
            expect(next).toBe('CompactionApplied');
            // A summary that was too long is in force only if truncated.
            expect(stream[at - 1]?.event.type === 'CompactionSummaryExceededLimit').toBe(
              event.data.truncated !== undefined,
            );
            open = undefined;
            break;
          case 'CompactionFailed':
            expect(open).toEqual({
              id: event.data.compactionId,
              attempt: event.data.attempts,
              isRunning: false,
            });
            open = undefined;
            break;
          case 'CompactionCancelled':
            expect(open?.id ?? waiting).toBe(event.data.compactionId);
            if (open === undefined) waiting = undefined;
            open = undefined;
            break;
          case 'CompactionSkipped':
            if (event.data.compactionId === undefined) break;
            expect(open).toMatchObject({ id: event.data.compactionId, isRunning: false });
            open = undefined;
            break;
        }
      }
    }));

  it('that waits is either requested or dropped, and never exists beside one in flight', () =>
    everyHistory(({ stream, states }) => {
      let waiting: string | undefined;
      for (const [at, { event }] of stream.entries()) {
        if (event.type === 'CompactionDeferred') waiting = event.data.compactionId;
        const isItsEnd = event.type === 'CompactionRequested' || event.type === 'CompactionCancelled';
        if (isItsEnd && event.data.compactionId === waiting) waiting = undefined;
        const state = states[at];
        if (state?.status !== 'open') continue;
        expect(state.deferred?.compactionId).toBe(waiting);
        const next = stream[at + 1]?.event.type;
        if (state.compaction && next !== 'CompactionSkipped') expect(waiting).toBeUndefined();
      }
    }));

  it('that has waited records where the wait began', () =>
    everyHistory(({ carried, stream }) => {
      for (const { before, events } of carried) {
        const waits = before.status === 'open' ? before.deferred : undefined;
        for (const event of events) {
          if (event.type !== 'CompactionRequested' && event.type !== 'CompactionDeferred') continue;
          const { compactionId, deferredAt } = event.data;
          const isIts = waits?.compactionId === compactionId;
          expect(deferredAt).toBe(isIts ? waits.deferredAt : undefined);
          if (deferredAt === undefined) continue;
          const first = stream.find(
            ({ event: { type, data } }) =>
              type === 'CompactionDeferred' && 'compactionId' in data && data.compactionId === compactionId,
          );
          expect(first?.revision).toBe(deferredAt);
        }
      }
    }));

  it('is in the session state exactly while it lasts', () =>
    everyHistory(({ stream, states }) => {
      const ends = ['CompactionCompleted', 'CompactionFailed', 'CompactionSkipped', 'CompactionCancelled'];
      let open: string | undefined;
      for (const [at, { event }] of stream.entries()) {
        if (event.type === 'CompactionRequested') open = event.data.compactionId;
        if (ends.includes(event.type)) open = undefined;
        const state = states[at];
        expect(state?.status === 'open' ? state.compaction?.compactionId : undefined).toBe(open);
      }
    }));
});

describe('command', () => {
  it('changes nothing if repeated at once', () =>
    everyHistory(({ carried }) => {
      for (const { command, after } of carried) {
        if (isNewEachTime(command)) continue;
        expect({ command: command.type, events: typesOf(decide(command, after)) }).toEqual({
          command: command.type,
          events: [],
        });
      }
    }));

  it('changes nothing if it repeats messages that are still in the context, however late', () =>
    everyHistory(({ carried }) => {
      const now = carried.at(-1)?.after;
      if (now?.status !== 'open') return;
      const known = new Set([...now.entries, ...now.leadingSystem].map(({ message }) => message.id));
      for (const { command } of carried) {
        if (command.type !== 'AppendMessages' || isNewEachTime(command)) continue;
        if (command.data.messages.every(({ message }) => known.has(message.id)))
          expect(decide(command, now)).toEqual([]);
      }
    }));
});

describe('stream of a session', () => {
  // Holds rules 2.17, 8.9.
  it('contains every message that was ever appended, block for block', () =>
    everyHistory(({ carried, stream }) => {
      const sent = carried.flatMap(({ command }) =>
        command.type === 'AppendMessages' ? command.data.messages : [],
      );
      const news = new Map(sent.map(({ message }) => [message.id, message]));
      const recorded = stream.flatMap(({ event }) =>
        event.type === 'MessageAppended' && !event.data.message.synthetic ? [event.data.message] : [],
      );
      expect(recorded.map(canonicalJson)).toEqual([...news.values()].map(canonicalJson));
    }));

  it('gets at most the thresholds and one decision from any number of checks', () =>
    everyHistory((history) => {
      const checks = Array.from({ length: 20 }, (_, at) => checkBudget(`storm-${at}`));
      const recorded = run(checks, history).stream.slice(history.stream.length);
      const all = typesOf(recorded.map(({ event }) => event));
      // Marks come before the decision, once per marked item; a skip may precede or follow them.
      const types = all.filter((type) => !MARKS.has(type));
      expect(types.filter((type) => type === 'CompactionRequested').length).toBeLessThanOrEqual(1);
      const isMarked = all.length > types.length;
      // Only marks and abandoned calls reduce the next request.
      const falls = recorded.filter(({ event }) => event.type === 'OccupancyFell').length;
      expect(falls).toBeLessThanOrEqual(isMarked || types.includes('ToolCallAbandoned') ? 3 : 0);
      const others = types.filter((type) => type !== 'OccupancyFell');
      if (!isMarked) expect(new Set(others).size).toBe(others.length);
      // Three states, the trigger and one decision, which may begin by abandoning calls that the model has passed
      // over.
      const decisions = others.filter((type) => type !== 'ToolCallAbandoned').length;
      expect(decisions).toBeLessThanOrEqual(isMarked ? 10 : 5);
      expect(crossedTwice(recorded.map(({ event }) => event))).toEqual([]);
    }));

  // Holds rule 5.77.
  it('contains no second automatic compaction without new material', () =>
    everyHistory((past) => {
      let history = past;
      const before = history.stream.length;
      // A running compaction keeps its plan: later messages are material for another one.
      const { compaction: underWay, messages } = openOf(past);
      const isOlder = underWay !== undefined && underWay.messagesAtRequest < messages;
      for (let round = 0; round < 6; round += 1) {
        history = run([checkBudget(`round-${round}`)], history);
        const id = openOf(history).compaction?.compactionId;
        if (id === undefined) break;
        history = run([start(id)], history);
        const running = openOf(history).compaction;
        const isDrop = running?.running?.stages.includes('drop-tool-outputs') ?? false;
        if (running)
          history = run(
            [complete(id, { attempt: running.attempt, ...(isDrop && { summary: null }) })],
            history,
          );
      }
      const types = typesOf(history.stream.slice(before).map(({ event }) => event));
      expect(types.filter((type) => type === 'CompactionCompleted').length).toBeLessThanOrEqual(
        isOlder ? 2 : 1,
      );
      expect(types.filter((type) => type === 'CompactionRequested').length).toBeLessThanOrEqual(1);
    }, 1_000));
});

const LEVELS = {
  WarningThresholdReached: 'warning',
  CompactionRequired: 'critical',
  BlockingThresholdReached: 'blocking',
} as const;

/** Returns thresholds that are crossed twice in a row in the same direction. */
const crossedTwice = (events: readonly SessionEvent[]): string[] => {
  const last = new Map<string, string>();
  return events.flatMap((event) => {
    const [level, direction] =
      event.type === 'OccupancyFell'
        ? [event.data.below, 'down']
        : event.type === 'WarningThresholdReached' ||
            event.type === 'CompactionRequired' ||
            event.type === 'BlockingThresholdReached'
          ? [LEVELS[event.type], 'up']
          : [undefined, ''];
    if (level === undefined) return [];
    const isSame = last.get(level) === direction;
    last.set(level, direction);
    return isSame ? [`${level} ${direction}`] : [];
  });
};

const MARKS: ReadonlySet<string> = new Set([
  'ToolResultOffloaded',
  'ToolOutputsPruned',
  'ReasoningDropped',
  'SegmentCollapsed',
]);

/** Each usage report is a new fact; a start takes over from a dead worker. */
const isNewEachTime = (command: SessionCommand): boolean =>
  command.type === 'StartCompaction' ||
  command.type === 'UnpinContent' || // Rejected the second time.
  (command.type === 'AppendMessages' && command.data.messages.length === 0);

const typesOf = (events: readonly SessionEvent[]): string[] => events.map(({ type }) => type);

/** Guarantee: a compaction makes a session fit, or its event states why not. */
describe('completed compaction', () => {
  it('records the session’s resulting size', () =>
    everyCompaction(({ completed, before, after }) => {
      expect(completed.countedBefore).toBe(estimatedTokens(before));
      expect(completed.countedAfter).toBe(estimatedTokens(after));
    }));

  it('counts exactly the retained messages', () =>
    everyCompaction(({ after }) => {
      const freed = freeingsOf(after).reduce((sum, one) => sum + one.freed, 0);
      const kept = after.entries.reduce((sum, entry) => sum + entry.tokens, 0);
      expect(after.entriesTokens).toBe(kept - freed);
    }));

  // Holds rules 5.62, 8.6.
  it('fits the target of its policy, or states the reachable one', () =>
    everyCompaction(({ started, completed, atStart, before }) => {
      // A stage may have omitted something meanwhile.
      const since = Math.max(0, completed.countedBefore - started.countedBefore);
      expect(completed.countedAfter).toBeLessThanOrEqual(completed.target + since);
      const policy = countedTarget(before, before.compaction?.profile ?? before.profile);
      // After a change of window or calibration the start had another target.
      const isSame = before.limits === atStart.limits && before.calibrations === atStart.calibrations;
      if (policy === undefined || !isSame) return;
      if (completed.targetRaised) expect(completed.targetRaised.from).toBe(policy);
      else expect(completed.target).toBeLessThanOrEqual(policy);
    }));

  // Holds rule 5.61.
  it('saves at least a tenth of the size at its start', () =>
    everyCompaction(({ started, completed }) => {
      const since = Math.max(0, completed.countedBefore - started.countedBefore);
      expect(completed.countedAfter).toBeLessThanOrEqual(0.9 * started.countedBefore + since);
    }));

  // Holds rules 2.6, 3.10.
  it('states for each turn of the context which rule applied', () =>
    everyCompaction(({ completed, before, after }) => {
      const kept = new Set(after.entries.map(({ message }) => message.id));
      const turns = [...new Set(before.entries.map(({ turn }) => turn))];
      expect(completed.retention.map(({ turn }) => turn)).toEqual(turns);
      for (const { turn, rule } of completed.retention) {
        const fates = before.entries
          .filter((entry) => entry.turn === turn)
          .map(({ message }) => kept.has(message.id));
        expect(rule).toBe(fates.every(Boolean) ? 'verbatim' : fates.some(Boolean) ? 'split' : 'summarized');
      }
    }));
});

const copyOf = (session: OpenSession): OpenSession => structuredClone(session);

/** Guarantee: the plan of a compaction depends on session and policy only, and planning changes neither. */
describe('preparation of a compaction', () => {
  // Holds rule 5.32.
  it('returns the same plan for the same session and policy, and changes neither', () =>
    everyHistory((history) => {
      for (const session of sessionsOf(history)) {
        const before = canonicalJson(session);
        const plan = canonicalJson(prepare(session));
        expect(canonicalJson(prepare(copyOf(session)))).toBe(plan);
        expect(canonicalJson(session)).toBe(before);
      }
    }, 60));
});
