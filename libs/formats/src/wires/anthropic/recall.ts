import { RECALL_TOOL, recallTool } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn } from '../../drafts/members.js';
import type { WireFailure } from '../failure.js';
import { type Frame, withData } from '../recall/frames.js';
import type { RecallWire, StreamSplicer } from '../recall/recall-wire.js';
import { anthropicError } from './error.js';

const isRecall = (block: Json | undefined): boolean =>
  isJsonObject(block) && block.type === 'tool_use' && block.name === RECALL_TOOL;

/** Anthropic's messages. */
export const anthropicRecall: RecallWire = {
  tool: recallTool,
  mayHold: () => true,
  joined: (rounds) => {
    const last = rounds.at(-1) ?? {};
    const content = rounds.flatMap((body) =>
      (listIn(body, 'content') ?? []).filter((block) => !isRecall(block)),
    );
    const earlier = rounds.slice(0, -1).reduce((sum, body) => sum + outputOf(objectIn(body, 'usage')), 0);
    const hasCalls = content.some((block) => isJsonObject(block) && block.type === 'tool_use');
    const usage = objectIn(last, 'usage');
    return {
      ...last,
      ...(rounds[0]?.id !== undefined && { id: rounds[0].id }),
      content,
      stop_reason: stopReason(last.stop_reason, hasCalls),
      ...(usage && { usage: { ...usage, output_tokens: outputOf(usage) + earlier } }),
    };
  },
  stream: () => new MessageSplicer(),
};

/** A client with no call to answer has the whole answer. */
const stopReason = (reason: Json | undefined, hasCalls: boolean): Json =>
  reason === 'tool_use' && !hasCalls ? 'end_turn' : (reason ?? null);

const outputOf = (usage: JsonObject | undefined): number => {
  const tokens = usage?.output_tokens;
  return typeof tokens === 'number' ? tokens : 0;
};

class MessageSplicer implements StreamSplicer {
  #round = 0;
  /** Blocks that the client has got. */
  #blocks = 0;
  #hasCalls = false;
  /** The client's index of each block of this round, without recall calls. */
  #places = new Map<number, number>();
  #held: Frame[] = [];
  #output = 0;

  take(frame: Frame): string {
    const { data } = frame;
    switch (data?.type) {
      case 'message_start':
        return this.#round === 0 ? frame.raw : '';
      case 'content_block_start':
        if (isRecall(data.content_block)) return '';
        this.#hasCalls ||= objectIn(data, 'content_block')?.type === 'tool_use';
        this.#places.set(Number(data.index), this.#blocks);
        this.#blocks += 1;
        return this.#placed(frame, data);
      case 'content_block_delta':
      case 'content_block_stop':
        return this.#placed(frame, data);
      case 'message_delta':
      case 'message_stop':
        this.#held.push(frame);
        return '';
      default:
        return frame.raw;
    }
  }

  next(): string {
    for (const { data } of this.#held) this.#output += outputOf(data && objectIn(data, 'usage'));
    this.#round += 1;
    this.#places = new Map();
    this.#held = [];
    return '';
  }

  end(): string {
    return this.#held.map((frame) => this.#ended(frame)).join('');
  }

  fail(failure: WireFailure): string {
    return `event: error\ndata: ${JSON.stringify(anthropicError(failure))}\n\n`;
  }

  #placed(frame: Frame, data: JsonObject): string {
    const at = this.#places.get(Number(data.index));
    if (at === undefined) return '';
    return withData(frame, at === data.index ? data : { ...data, index: at });
  }

  #ended(frame: Frame): string {
    const { data } = frame;
    const delta = data && objectIn(data, 'delta');
    if (!data || !delta) return frame.raw;
    const reason = stopReason(delta.stop_reason, this.#hasCalls);
    const usage = objectIn(data, 'usage');
    if (reason === delta.stop_reason && this.#output === 0) return frame.raw;
    return withData(frame, {
      ...data,
      delta: { ...delta, stop_reason: reason },
      ...(usage && { usage: { ...usage, output_tokens: outputOf(usage) + this.#output } }),
    });
  }
}
