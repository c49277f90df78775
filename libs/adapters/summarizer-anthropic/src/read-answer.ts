import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { SummaryOutcome, Usage } from '@app/domain';
import { clientFault, SummarizerError, type SummaryResult } from '@app/ports';
import { usageOf } from './usage-of.js';

/** The answer read from a stream. */
type Answer = {
  text: string;
  stopReason: string | null;
  usage: Usage | undefined;
  callsTool: boolean;
  isComplete: boolean;
};

/**
 * Sends a request and reads its answer to the end. A stream that ends before its last event is a failure; its usage
 * is part of the error.
 *
 * @throws {SummarizerError}; the reason of `signal`, which closes the connection.
 */
export const readAnswer = async (
  client: Anthropic,
  body: Omit<MessageCreateParamsStreaming, 'stream'>,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const answer: Answer = {
    text: '',
    stopReason: null,
    usage: undefined,
    callsTool: false,
    isComplete: false,
  };
  try {
    const stream = await client.messages.create({ ...body, stream: true }, { signal });
    for await (const event of stream) take(answer, event);
  } catch (error) {
    signal.throwIfAborted();
    throw clientFault(error, answer.usage, Anthropic);
  }
  signal.throwIfAborted();
  const { text, usage } = answer;
  const paid = usage && { usage };
  if (!answer.isComplete) throw new SummarizerError('unavailable', { about: 'stream_ended_early', ...paid });
  if (answer.stopReason === 'model_context_window_exceeded') {
    throw new SummarizerError('overflow', { about: answer.stopReason, ...paid });
  }
  return { text: text.trim(), finish: finishOf(answer), ...paid };
};

type StreamEvent = Anthropic.Messages.RawMessageStreamEvent;

const take = (answer: Answer, event: StreamEvent): void => {
  switch (event.type) {
    case 'message_start':
      answer.usage = usageOf(event.message.usage, undefined);
      return;
    case 'content_block_start':
      if (event.content_block.type === 'text') answer.text += event.content_block.text;
      if (event.content_block.type.endsWith('tool_use')) answer.callsTool = true;
      return;
    case 'content_block_delta':
      if (event.delta.type === 'text_delta') answer.text += event.delta.text;
      return;
    case 'message_delta':
      answer.stopReason = event.delta.stop_reason;
      answer.usage = usageOf(event.usage, answer.usage);
      return;
    case 'message_stop':
      answer.isComplete = true;
      return;
    default:
  }
};

/** An answer with a tool call is invalid, with any stop reason; so is one with an unknown stop reason. */
const finishOf = ({ stopReason, callsTool }: Answer): SummaryOutcome['finish'] => {
  if (callsTool) return 'tool-call';
  switch (stopReason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'tool_use':
    case 'pause_turn':
      return 'tool-call';
    case 'refusal':
      return 'refusal';
    default:
      return 'length';
  }
};
