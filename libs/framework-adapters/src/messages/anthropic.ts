import { type AnthropicParam, type Block, isText, type Message } from '@palimpsest/client';
import { handOver, pair } from '../core/mirrors.js';
import type { Context, Turn } from '../core/session-mirror.js';

/** The members of a body of `POST /v1/messages` that concern the context. */
export type AnthropicBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly Block[];
  readonly messages: readonly AnthropicParam[];
  readonly tools?: readonly object[];
  readonly thinking?: { readonly budget_tokens?: number };
};

/** The body of a request to Anthropic, which may carry the context of a session in place of its history. */
export class Conversation {
  private readonly paired;
  readonly turn: Turn;

  constructor(private readonly body: AnthropicBody) {
    const { messages, system = [], tools = [], model } = body;
    this.paired = pair(messages, (own): readonly Message[] => [withoutMarks(own)]);
    this.turn = {
      ...{ model, history: this.paired.map(({ message }) => message), tools: tools.map(withoutMarks) },
      system: typeof system === 'string' ? system : system.map(textOf).join('\n\n'),
    };
  }

  /** Returns the body with the context. Messages that stay verbatim keep their cache marks. */
  with({ messages, maxOutput }: Context): AnthropicBody {
    const { max_tokens, thinking } = this.body;
    const max = Math.min(max_tokens, maxOutput ?? max_tokens);
    const { budget_tokens: budget = 0 } = thinking ?? {};
    return {
      ...this.body,
      messages: handOver<AnthropicParam>(messages, this.paired, ({ role, content }) => [{ role, content }]),
      max_tokens: max,
      ...(thinking && budget >= max && { thinking: { ...thinking, budget_tokens: max - 1 } }),
    };
  }
}

const textOf = (block: Block): string => (isText(block) ? block.text : '');

/** Cache marks move from request to request: they are no part of a message. */
const withoutMarks = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'cache_control' ? undefined : member)));
