import {
  AppendMessages,
  ChangeSettings,
  type ComposeAnswer,
  ComposeRequest,
  runCompactor,
} from '@app/application';
import { type OpenSession, occupancy } from '@app/domain';
import { invariant, type JsonObject } from '@app/kernel';
import type { Summarizer } from '@app/ports';
import { openMemoryLog } from '../log/open-memory-log.js';
import { textMessage } from '../sessions/session-events.js';
import { type Application, openApplication } from './open-application.js';
import { caller, openSession, playTurns, sessionRef } from './play-session.js';
import { ScriptedSummarizer } from './scripted-summarizer.js';

const ref = sessionRef();
/** The application's overhead per message in tokens. */
const FRAMING = 5;

/** Returns the session `some` of 19 turns with `tokens` in a window of 10,000; it retains its newest seven turns. */
export const filledSession = async (
  tokens: number,
  overrides: JsonObject = { mode: 'authorized' },
  options: Pick<Parameters<typeof openApplication>[0], 'waitTimeoutMs' | 'upstream' | 'countTimeoutMs'> = {},
): Promise<Application> => {
  const application = openApplication({ ...openMemoryLog(), ...options });
  await openSession(application, ref);
  const change = { overrides: { keepRecentTurns: 7, maxAttempts: 1, ...overrides } };
  await application.commands.execute(new ChangeSettings(ref, change, caller));
  await playTurns(application, ref, 0, 19);
  await fillTo(application, tokens);
  return application;
};

/** Appends one answer that makes occupancy `tokens`. */
export const fillTo = async (application: Application, tokens: number): Promise<void> => {
  const room = tokens - occupancy(await sessionIn(application)) - FRAMING;
  await say(application, `fill-${tokens}`, 'f'.repeat(room * 4), 'assistant');
};

export const say = (
  { commands }: Application,
  id: string,
  text: string,
  role: 'user' | 'assistant',
): Promise<unknown> => commands.execute(new AppendMessages(ref, [textMessage(id, text, role)], caller));

export const composing = (
  { commands }: Application,
  options: Partial<ComposeRequest['input']> = {},
): Promise<ComposeAnswer> =>
  commands.execute(new ComposeRequest(ref, { format: 'anthropic', ...options }, caller));

/** Runs `work` beside a worker. */
export const withWorker = async <Result>(
  application: Application,
  work: () => Promise<Result>,
  summarizer: Summarizer = new ScriptedSummarizer(),
): Promise<Result> => {
  const stop = new AbortController();
  const runner = openApplication(application).runner('w1', summarizer);
  const onError = (error: unknown): never => {
    throw error;
  };
  const { subscriptions } = application;
  const shares = { atOnce: 4, held: 32, limitOf: async () => 2 };
  const working = runCompactor({ subscriptions, runner, onError, ...shares }, stop.signal);
  try {
    return await work();
  } finally {
    stop.abort();
    await working;
  }
};

const sessionIn = async ({ sessions }: Application): Promise<OpenSession> => {
  const { state } = await sessions.load(ref);
  invariant(state.status === 'open', 'the session is open');
  return state;
};
