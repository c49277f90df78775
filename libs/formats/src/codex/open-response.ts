import type { IsoTime, JsonObject } from '@app/kernel';
import type { DraftMessage } from '../drafts/draft.js';
import { objectIn } from '../drafts/members.js';
import type { TranscriptUsage } from '../transcript.js';
import { openAiUsage } from '../wires/openai-usage.js';
import type { CodexItem } from './item.js';

/** Maximum number of messages that wait for the end of a response; larger than any number of parallel tool calls. */
const WAITING_MAX = 256;

/**
 * Joins the items of one model response into one message. Its results and then its usage follow in the log: they
 * wait, so that the usage is part of the message.
 */
export class OpenResponse {
  #response: DraftMessage | undefined;
  #waiting: DraftMessage[] = [];
  #total = '';

  /** @returns the completed messages. */
  take(item: CodexItem, createdAt: IsoTime | undefined, model: string | undefined): readonly DraftMessage[] {
    const message = { ...item, ...(createdAt !== undefined && { createdAt }) };
    if (item.role === 'user' && item.blocks.every(({ type }) => type === 'tool_result')) {
      if (this.#response === undefined || this.#waiting.length >= WAITING_MAX)
        return [...this.close(), message];
      this.#waiting.push(message);
      return [];
    }
    if (item.role !== 'assistant') return [...this.close(), message];
    if (this.#response !== undefined && this.#waiting.length === 0) {
      this.#response = { ...this.#response, blocks: [...this.#response.blocks, ...item.blocks] };
      return [];
    }
    const complete = this.close();
    this.#response = { ...message, ...(model !== undefined && { model }) };
    return complete;
  }

  /** Takes a token count: repeated if nothing was billed since, which does not end the response. */
  takeBill(info: JsonObject | undefined, model: string | undefined): readonly DraftMessage[] {
    const usage = billIn(info, model);
    const total = JSON.stringify(info?.total_token_usage ?? null);
    if (!usage || total === this.#total) return [];
    this.#total = total;
    if (this.#response) this.#response = { ...this.#response, usage };
    return this.close();
  }

  close(): readonly DraftMessage[] {
    const complete = this.#response === undefined ? [] : [this.#response, ...this.#waiting];
    this.#response = undefined;
    this.#waiting = [];
    return complete;
  }
}

const billIn = (info: JsonObject | undefined, model: string | undefined): TranscriptUsage | undefined => {
  const last = info && objectIn(info, 'last_token_usage');
  if (!last) return undefined;
  const details = { input_tokens_details: { cached_tokens: last.cached_input_tokens ?? 0 } };
  const usage = openAiUsage({ ...last, ...details }, { input: 'input_tokens', output: 'output_tokens' });
  return usage && { ...usage, ...(model !== undefined && { model }) };
};
