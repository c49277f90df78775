import type { FinishedSummary, OpenSession, SessionCommand } from '@app/domain';
import { IsoTime, Tokens } from '@app/kernel';
import {
  append,
  appendBilled,
  checkBudget,
  complete,
  completeTurn,
  composeRequest,
  failAttempt,
  goodSummary,
  type Opening,
  open,
  reportOverflow,
  request,
  type ScriptedSummary,
  start,
  summaryOfSize,
} from '../builders/index.js';
import { openOf, run, type SessionRun } from '../specification/index.js';
import { manage } from './manage.js';
import { speak } from './speak.js';
import type { Step } from './steps.js';

export type Script = { readonly opening: Opening; readonly steps: readonly Step[] };

/** Plays a script: each step becomes a command for the session in its current state, and `decide` does the rest. */
export const play = ({ opening, steps }: Script): SessionRun => {
  let played = run([open(opening)]);
  for (const [at, step] of steps.entries()) {
    const last = played.carried.at(-1)?.command;
    const command =
      step.do === 'manage' ? manage(step, played, at) : commandOf(step, openOf(played), at, last);
    played = extend(played, command);
  }
  return played;
};

const extend = (past: SessionRun, command: SessionCommand | undefined): SessionRun =>
  command ? run([command], past) : past;

/** Commands that are rejected the second time. */
const ENDINGS: ReadonlySet<string> = new Set(['UnpinContent', 'ReleaseLegalHold']);

const commandOf = (
  step: Exclude<Step, { do: 'manage' }>,
  session: OpenSession,
  at: number,
  last: SessionCommand | undefined,
): SessionCommand | undefined => {
  const flight = session.compaction;
  switch (step.do) {
    case 'check':
      return checkBudget(`auto-${at}`);
    case 'complete-turn':
      return completeTurn();
    case 'compose':
      return compose(step, at);
    case 'overflow':
      return session.profile.mode === 'automatic' ? reportOverflow(`overflow-${at}`) : undefined;
    case 'retry':
      return last && ENDINGS.has(last.type) ? undefined : last;
    case 'bill':
      return bill(step, session);
    case 'request': {
      const { profile, instructions, trigger } = step;
      return request(`c-${at}`, {
        trigger,
        ...(profile && { profile }),
        ...(instructions !== undefined && { instructions }),
      });
    }
    case 'start':
      return flight && start(flight.compactionId, step.worker);
    case 'finish':
      return finish(step, session);
    default:
      return append(speak(step, session, `m${at}`));
  }
};

const compose = ({ override, contributed }: Extract<Step, { do: 'compose' }>, at: number): SessionCommand => {
  const contributions = contributed > 0 ? [{ name: 'todo', tokens: Tokens(contributed) }] : [];
  return composeRequest(
    { digest: at.toString(16).padStart(64, '0'), contributions },
    override ? 'it must go on' : undefined,
  );
};

const bill = ({ kind, share }: Extract<Step, { do: 'bill' }>, session: OpenSession): SessionCommand => {
  const input = kind === 'zero' ? 0 : Math.floor(session.limits.window * share);
  const answer = session.entries.findLast((entry) => entry.message.role === 'assistant');
  return appendBilled({
    input,
    outcome: kind === 'aborted' ? 'aborted' : 'completed',
    source: kind === 'recorded' ? 'transcript' : 'reported',
    ...(kind === 'old' && session.requests[0] && { requestId: session.requests[0].requestId }),
    ...(answer && { messageId: answer.message.id }),
  });
};

const finish = (
  { how, tokens }: Extract<Step, { do: 'finish' }>,
  session: OpenSession,
): SessionCommand | undefined => {
  const { compaction, ended } = session;
  // Refers to the attempt whose outcome is known, or to the next one, which was dropped while it ran.
  if (how === 'twice')
    return ended && complete(ended.compactionId, { attempt: ended.attempt + (tokens % 2) });
  if (!compaction) return undefined;
  const { compactionId, attempt } = compaction;
  if (how === 'lost') return failAttempt(compactionId, attempt);
  if (how === 'later') {
    const { type, data } = failAttempt(compactionId, attempt);
    return { type, data: { ...data, retryAt: IsoTime('2026-11-21T10:00:00Z'), giveUp: tokens % 4 === 0 } };
  }
  if (how === 'late') return complete(compactionId, { attempt: Math.max(0, attempt - 1) });
  const isDrop = compaction.running?.stages.includes('drop-tool-outputs') ?? false;
  const command = complete(compactionId, {
    attempt,
    summary: isDrop ? null : summaryOf(how, tokens, compactionId),
  });
  const { summary } = command.data;
  return { ...command, data: { ...command.data, summary: summary && { ...summary, ...doneTo(how) } } };
};

/** Returns a runner's report about its changes to the summarizer's output. */
const doneTo = (how: string): Partial<FinishedSummary> => {
  if (how === 'truncated') return { truncatedFrom: Tokens(9_000) };
  return how === 'thought' ? { reasoning: { marks: 1, blocks: 1 } } : {};
};

const summaryOf = (how: string, tokens: number, compactionId: string): ScriptedSummary => {
  const text = summaryOfSize(tokens, compactionId);
  switch (how) {
    case 'refusal':
      return { text: 'I cannot help with that.' };
    case 'cut-off':
      return { text, finish: 'length' };
    case 'empty':
      return { text: ' ' };
    case 'too-long':
      return { text: summaryOfSize(9_000, compactionId) };
    case 'quoting':
      return { text: `${goodSummary()}\n> "words of nobody" [m0]\nThe user said "something else".` };
    default:
      return { text };
  }
};
