import type { AnthropicAnswer } from './anthropic.js';
import { type Block, isText, isThinking } from './blocks.js';
import { argumentsIn } from './openai.js';

/** Structure of a `RawMessageStreamEvent` of Anthropic's SDK. */
export type AnthropicChunk = {
  readonly type: string;
  readonly message?: AnthropicAnswer;
  readonly index?: number;
  readonly content_block?: Block;
  readonly delta?: {
    readonly text?: string;
    readonly partial_json?: string;
    readonly thinking?: string;
    readonly signature?: string;
    readonly stop_reason?: string | null;
  };
  readonly usage?: Partial<AnthropicAnswer['usage']>;
};

/** Collects the events of a streamed answer. */
export class AnthropicAnswerStream {
  private message: AnthropicAnswer | undefined;
  private readonly parts = new Map<number, { block: Block; json: string }>();
  private isWhole = false;

  /** The answer; `undefined` until the stream has finished. */
  get answer(): AnthropicAnswer | undefined {
    if (!this.message || !this.isWhole) return undefined;
    const content = [...this.parts.values()].map(({ block, json }) =>
      json === '' ? block : { ...block, input: argumentsIn(json) },
    );
    return { ...this.message, content };
  }

  add({ type, message, index = 0, content_block, delta = {}, usage }: AnthropicChunk): void {
    if (type === 'message_start') this.message = message;
    if (content_block) this.parts.set(index, { block: content_block, json: '' });
    if (type === 'content_block_delta') this.addDelta(index, delta);
    if (type === 'message_delta' && this.message) {
      const { stop_reason = null } = delta;
      this.message = { ...this.message, stop_reason, usage: { ...this.message.usage, ...usage } };
    }
    if (type === 'message_stop') this.isWhole = true;
  }

  private addDelta(index: number, { text, partial_json = '', thinking, signature }: Delta): void {
    const part = this.parts.get(index);
    if (!part) return;
    const { block, json } = part;
    const [said, thought] = [isText(block) ? block.text : '', isThinking(block) ? block.thinking : ''];
    const added = {
      ...(text !== undefined && { text: said + text }),
      ...(thinking !== undefined && { thinking: thought + thinking }),
      ...(signature !== undefined && { signature }),
    };
    this.parts.set(index, { block: { ...block, ...added }, json: json + partial_json });
  }
}

type Delta = NonNullable<AnthropicChunk['delta']>;
