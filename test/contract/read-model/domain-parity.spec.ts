import { openReadModels } from '@app/adapters/read-model-postgres';
import {
  budgetState,
  DEFAULT_PROFILE,
  decide,
  evolve,
  initialState,
  occupancy,
  type SessionCommand,
  type SessionState,
  textBlock,
} from '@app/domain';
import { CompactionId, MessageId, Revision, Tokens } from '@app/kernel';
import fc from 'fast-check';
import { billed, opened } from './support/events.js';
import { TestDatabase } from './support/read-model-database.js';
import { Running } from './support/running.js';
import { ScriptedLog, SESSION, TENANT } from './support/scripted-log.js';

/** Guarantee: a session looks the same in the rows as to the rules, although the rows know no messages. */
describe('a row of sessions', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await TestDatabase.start();
  });
  afterAll(() => test.stop());

  it('counts as the domain does, whatever commands have made of the session', async () => {
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
        const [row] = await openReadModels(test.database).sessions(TENANT);
        expect(row).toMatchObject({
          occupancy: occupancy(state),
          state: budgetState(occupancy(state), state.limits, state.profile),
          turns: state.turn,
          messages: state.messages,
          compactions: state.compactions,
        });
        expect((await test.table('sessions'))[0]?.pivot ?? undefined).toBe(state.pivot?.compactionId);
      }),
      { numRuns: 40 },
    );
    expect(compactions).toBeGreaterThan(0);
  });
});

type Act = { readonly what: number; readonly tokens: number; readonly back: number };
const acts = fc.record({
  what: fc.integer({ min: 0, max: 11 }),
  tokens: fc.integer({ min: 1, max: 120 }),
  back: fc.integer({ min: 0, max: 12 }),
});

/** A conversation of questions and answers, with reports of usage, now early, now late, and with compactions. */
const play = (script: readonly Act[], log: ScriptedLog): SessionState => {
  let state: SessionState = initialState;
  let revision = 0;
  let messages = 0;
  const run = (command: SessionCommand): void => {
    const events = decide(command, state);
    log.append(events);
    for (const event of events) {
      state = evolve(state, { event, revision: Revision(revision) });
      revision += 1;
    }
  };
  const { data } = opened();
  run({ type: 'OpenSession', data: { ...data, profile: { ...DEFAULT_PROFILE, keepRecentTurns: 2 } } });
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
      const usage = billed(tokens * 5, what === 6 ? { messageId } : { epoch: back % 2 }).data;
      run({ type: 'AppendMessages', data: { sessionId, messages: [], usage } });
    } else if (what === 8) {
      run({ type: 'CheckBudget', data: { sessionId, compactionId } });
    } else if (what === 9) {
      run({ type: 'RequestCompaction', data: { sessionId, compactionId, trigger: 'explicit' } });
    } else {
      compact(state, run);
    }
  }
  return state;
};

const SUMMARIZER = { name: 'by-hand', promptVersion: '1', deterministic: true } as const;

/** Works on what is asked for, as a worker would. */
const compact = (state: SessionState, run: (command: SessionCommand) => void): void => {
  const waiting = state.status === 'open' ? state.compaction : undefined;
  if (!waiting) return;
  const common = { sessionId: SESSION, compactionId: waiting.compactionId, worker: 'w-1' };
  run({ type: 'StartCompaction', data: { ...common, summarizer: SUMMARIZER, inputHash: 'ab' } });
  const text = '## Goal\nto go on\n## State\nfar';
  const summary = { text, finish: 'stop', tokens: Tokens(15), framedTokens: Tokens(20) } as const;
  const attempt = waiting.attempt + 1;
  run({
    type: 'CompleteCompaction',
    data: { ...common, attempt, summary, summarizer: SUMMARIZER, durationMs: 1 },
  });
};
