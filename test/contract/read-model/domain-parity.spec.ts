import { openReadModels } from '@app/adapters/read-model-postgres';
import {
  budgetState,
  continuationOf,
  DEFAULT_PROFILE,
  decide,
  evolve,
  fold,
  initialState,
  type OpenSession,
  occupancy,
  type Placed,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
  textBlock,
  withoutReverted,
} from '@app/domain';
import { CompactionId, MessageId, PinId, RequestId, Revision, Tokens } from '@app/kernel';
import {
  appendBilled,
  checkBudget,
  compactable,
  complete,
  memoryDigests,
  openOf,
  PART_DIGESTS,
  run,
  type SessionRun,
  sized,
  start,
} from '@app/testing';
import fc from 'fast-check';
import { billed, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: rows and domain agree on a session, although the rows contain no messages. */
describe('row of a session', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  it('has the domain’s counts after any commands', async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 10, maxLength: 80 }), async (script) => {
        await test.clear();
        const log = new ScriptedLog();
        const state = play(script, log);
        if (state.status !== 'open') throw new Error('the session is not open');
        compactions += state.compactions;
        const running = new Running({ database: test.database, subscriptions: log });
        await running.reached(log.last());
        await running.stop();
        const [row] = await openReadModels(test.database, memoryDigests).sessions(TENANT);
        expect(row?.occupancy).toBe(occupancy(state));
        expect(row).toMatchObject({
          state: budgetState(Tokens(row?.occupancy ?? 0), state.limits, state.profile),
          turns: state.turn,
          messages: state.messages,
          compactions: state.compactions,
        });
        expect((await test.table('sessions'))[0]?.pivot ?? undefined).toBe(state.pivot?.compactionId);
      }),
      { numRuns: 40, seed: 20_261_123 },
    );
    expect(compactions).toBeGreaterThan(0);
  });

  it('counts a continuation that a revert has removed from the context', async () => {
    await test.clear();
    const profile = { autoContinue: true };
    const interrupted = compactable({ window: 1_800, profile });
    const past = run([...interrupted, checkBudget('c1'), start('c1'), complete('c1')]);
    const undone = run([revertOf(past)], past);
    const after = run([appendBilled({ input: 700, messageId: 'a9' }, sized('a9', 'assistant', 40))], undone);
    expect(after.stream.map(({ event }) => event.type)).toContain('ContinuationQueued');
    const log = new ScriptedLog();
    const events = after.stream.map(({ event }) => event);
    log.append(events.slice(0, -1));
    log.append(events.slice(-1), undefined, { occupancy: occupancy(openOf(after)) });
    const running = new Running({ database: test.database, subscriptions: log });
    await running.reached(log.last());
    await running.stop();
    const state = openOf(after);
    expect(state.entries.at(-1)?.position).toBe(state.messages - 1);
    expect((await openReadModels(test.database, memoryDigests).sessions(TENANT))[0]).toMatchObject({
      occupancy: occupancy(state),
      messages: state.messages,
      turns: state.turn,
      compactions: 0,
    });
  });
});

const isRevert = ({ type }: SessionEvent): boolean => type === 'CompactionReverted';

const revertOf = (past: SessionRun): SessionCommand => {
  const command = undo(openOf(past), past.stream);
  if (!command) throw new Error('there is nothing to undo');
  return command;
};

type Act = { readonly what: number; readonly tokens: number; readonly back: number };
const acts = fc.record({
  what: fc.integer({ min: 0, max: 15 }),
  tokens: fc.integer({ min: 1, max: 120 }),
  back: fc.integer({ min: 0, max: 12 }),
});

/** Plays questions and answers with early and late usage reports, and with compactions. */
const play = (script: readonly Act[], log: ScriptedLog): SessionState => {
  let state: SessionState = initialState;
  const stream: Placed[] = [];
  let messages = 0;
  const run = (command: SessionCommand): void => {
    const events = decide(command, state);
    for (const event of events) {
      const placed = { event, revision: Revision(stream.length) };
      stream.push(placed);
      const isUndone = event.type === 'CompactionReverted';
      state = isUndone ? fold(initialState, withoutReverted(stream)) : evolve(state, placed);
    }
    // As the command handler records events: the size accompanies the last one.
    if (events.length > 1) log.append(events.slice(0, -1));
    const size = state.status === 'open' ? { occupancy: occupancy(state) } : {};
    log.append(events.slice(-1), undefined, events.some(isRevert) ? {} : size);
  };
  const { data } = opened();
  const profile = { ...DEFAULT_PROFILE, keepRecentTurns: 2, autoContinue: true };
  run({ type: 'OpenSession', data: { ...data, profile } });
  for (const [index, { what, tokens, back }] of script.entries()) {
    const compactionId = CompactionId(`c-${index}`);
    const sessionId = SESSION;
    if (what <= 5) {
      const role = what === 0 ? 'system' : what <= 3 ? 'user' : 'assistant';
      const message = {
        id: MessageId(`m-${messages}`),
        role,
        blocks: [textBlock(`words ${messages}`)],
      } as const;
      const counted = { message, tokens: Tokens(tokens), blockTokens: [Tokens(tokens)], estimator: 'test-1' };
      messages += 1;
      run({ type: 'AppendMessages', data: { sessionId, messages: [counted] } });
    } else if (what <= 7) {
      const messageId = MessageId(`m-${Math.max(0, messages - 1 - back)}`);
      const { countsFor: _, occupancyAfter: __, ...usage } = billed(tokens * 5).data;
      const named = state.status === 'open' ? state.requests.at(-1 - back)?.requestId : undefined;
      const by = what === 6 ? { messageId } : named !== undefined ? { requestId: named } : {};
      run({ type: 'ReportUsage', data: { sessionId, usage: { ...usage, ...by } } });
    } else if (what === 8) {
      run({ type: 'CheckBudget', data: { sessionId, compactionId } });
    } else if (what === 9) {
      run({ type: 'RequestCompaction', data: { sessionId, compactionId, trigger: 'explicit' } });
    } else if (what <= 11) {
      compact(state, run);
    } else if (what === 14) {
      const contributions = back % 2 === 0 ? [{ name: 'todo', tokens: Tokens(tokens) }] : [];
      const digest = index.toString(16).padStart(12, '0');
      const requestId = RequestId(`req-0-${digest}`);
      const asked = {
        sessionId,
        requestId,
        format: 'anthropic',
        revision: Revision(0),
        notes: [],
        digest,
      } as const;
      run({ type: 'ComposeRequest', data: { ...asked, parts: PART_DIGESTS, contributions } });
    } else if (what === 15) {
      run({ type: 'ReportOverflow', data: { sessionId, compactionId } });
    } else {
      const command = management(state, stream, { tokens, back, compactionId });
      if (command) run(command);
    }
  }
  return state;
};

type Management = { readonly tokens: number; readonly back: number; readonly compactionId: CompactionId };

/** Returns a management command; `undefined` if it would be rejected. */
const management = (
  state: SessionState,
  stream: readonly Placed[],
  { tokens, back, compactionId }: Management,
): SessionCommand | undefined => {
  if (state.status !== 'open') return undefined;
  const common = { sessionId: SESSION };
  const pinId = PinId(`p${back % 3}`);
  switch (back % 6) {
    case 0:
      return { type: 'ResetSession', data: { ...common, compactionId, reason: 'x', confirm: true } };
    case 1: {
      const pin = { pinId, kind: 'plan' as const, text: `pinned ${tokens}`, tokens: Tokens(tokens) };
      return { type: 'PinContent', data: { ...common, pin } };
    }
    case 2: {
      const isPinned = state.pins.some((pin) => pin.pinId === pinId);
      return isPinned ? { type: 'UnpinContent', data: { ...common, pinId } } : undefined;
    }
    case 3: {
      const limits = { ...state.limits, window: Tokens(state.limits.window + tokens) };
      return { type: 'SwitchModel', data: { ...common, model: `claude-${tokens}`, limits } };
    }
    case 4: {
      const profile = { ...state.profile, warnAtShare: 0.5 + tokens / 1_000 };
      return { type: 'ChangeSettings', data: { ...common, profile } };
    }
    default:
      return undo(state, stream);
  }
};

const undo = ({ pivot, turn }: OpenSession, stream: readonly Placed[]): SessionCommand | undefined => {
  if (!pivot || pivot.turn < turn) return undefined;
  const undone = stream.flatMap(({ event }) =>
    event.type === 'CompactionReverted' ? [event.data.compactionId] : [],
  );
  const { compactionId } = pivot;
  const without = fold(initialState, withoutReverted(stream, new Set([...undone, compactionId])));
  return { type: 'RevertCompaction', data: { sessionId: SESSION, compactionId, reason: 'x', without } };
};

const SUMMARIZER = { name: 'by-hand', promptVersion: '1', deterministic: true } as const;

/** Runs the requested compaction, as a worker does. */
const compact = (state: SessionState, run: (command: SessionCommand) => void): void => {
  const waiting = state.status === 'open' ? state.compaction : undefined;
  if (!waiting) return;
  const common = { sessionId: SESSION, compactionId: waiting.compactionId, worker: 'w-1' };
  run({ type: 'StartCompaction', data: { ...common, summarizer: SUMMARIZER, inputHash: 'ab' } });
  const text = '## Goal\nto go on\n## State\nfar';
  const summary = { text, finish: 'stop', tokens: Tokens(15), framedTokens: Tokens(20) } as const;
  const attempt = waiting.attempt + 1;
  const message = continuationOf(waiting.compactionId);
  const continuation = { message, tokens: Tokens(9), blockTokens: [Tokens(9)], estimator: 'test-1' };
  run({
    type: 'CompleteCompaction',
    data: { ...common, attempt, summary, summarizer: SUMMARIZER, durationMs: 1, continuation },
  });
};
