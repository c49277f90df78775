import type { SummaryOutcome, Usage } from '@app/domain';
import { clientFault, SummarizerError, type SummaryResult } from '@app/ports';
import OpenAI from 'openai';

/** The answer so far of a stream, of either API. */
export type PartialAnswer = {
  text: string;
  refuses: boolean;
  callsTool: boolean;
  usage: Usage | undefined;
};
export const EMPTY_ANSWER: Readonly<PartialAnswer> = {
  text: '',
  refuses: false,
  callsTool: false,
  usage: undefined,
};

/** The stream format of an API. */
export type StreamFormat<Event, Answer extends PartialAnswer> = {
  readonly answer: Answer;
  readonly open: () => Promise<AsyncIterable<Event>>;
  /** @throws {SummarizerError} for an event that reports a failure. */
  readonly take: (answer: Answer, event: Event) => void;
  /** Returns the stop reason of a complete answer; `undefined` until then. */
  readonly endOf: (answer: Answer) => SummaryOutcome['finish'] | undefined;
};

/**
 * Reads an answer to its end. The client treats a stream that is cut between two events as complete: only an answer
 * with a stop reason is.
 *
 * @throws {SummarizerError}; the reason of `signal`, which closes the connection.
 */
export const readStream = async <Event, Answer extends PartialAnswer>(
  { answer, open, take, endOf }: StreamFormat<Event, Answer>,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  try {
    for await (const event of await open()) take(answer, event);
  } catch (error) {
    signal.throwIfAborted();
    throw clientFault(error, answer.usage, OpenAI);
  }
  signal.throwIfAborted();
  const { text, refuses, callsTool, usage } = answer;
  const paid = usage && { usage };
  const end = endOf(answer);
  if (end === undefined) throw new SummarizerError('unavailable', { about: 'stream_ended_early', ...paid });
  const finish = refuses ? 'refusal' : callsTool ? 'tool-call' : end;
  return { text: text.trim(), finish, ...paid };
};
