import { type Block, isToolUse } from '@app/domain';
import type { DraftMessage } from '../drafts/draft.js';

/** Maximum number of messages that wait for the end of a response; larger than any number of parallel tool calls. */
const WAITING_MAX = 256;

/**
 * Joins the records of one model response into one message. Claude Code writes one record per block, interleaved with
 * answers to the response's first calls; those wait until the response is complete, so that calls precede their
 * results.
 */
export class OpenResponse {
  #responseId: string | undefined;
  #response: DraftMessage | undefined;
  #waiting: DraftMessage[] = [];

  /** Takes a record of a response, and returns completed messages. `isRepeated`: it adds no new block. */
  takeResponse(
    responseId: string | undefined,
    part: DraftMessage,
    isRepeated: boolean,
  ): readonly DraftMessage[] {
    if (this.#response !== undefined && responseId !== undefined && responseId === this.#responseId) {
      // One that brings no new block may still bring the final usage.
      this.#response = joined(this.#response, part);
      return [];
    }
    if (isRepeated) return [];
    const complete = this.close();
    this.#responseId = responseId;
    this.#response = part;
    return complete;
  }

  /** Takes a user message; one that may interleave with a response does not end it. */
  takeUser(message: DraftMessage, amid: boolean, isRepeated: boolean): readonly DraftMessage[] {
    if (isRepeated) return [];
    if (amid && this.#response !== undefined && this.#waiting.length < WAITING_MAX) {
      this.#waiting.push(message);
      return [];
    }
    return [...this.close(), message];
  }

  close(): readonly DraftMessage[] {
    const complete = this.#response === undefined ? [] : [this.#response, ...this.#waiting];
    this.#response = undefined;
    this.#waiting = [];
    return complete;
  }
}

/** The last record has the final metadata, because usage grows during streaming. */
const joined = (first: DraftMessage, next: DraftMessage): DraftMessage => {
  const usage = next.usage ?? first.usage;
  return { ...first, ...(usage && { usage }), blocks: next.blocks.reduce(withBlock, first.blocks) };
};

/** A repeated call with the same id is a later state of it. */
const withBlock = (blocks: readonly Block[], block: Block): readonly Block[] => {
  const earlier = isToolUse(block)
    ? blocks.findIndex((other) => isToolUse(other) && other.id === block.id)
    : -1;
  return earlier < 0 ? [...blocks, block] : blocks.with(earlier, block);
};
