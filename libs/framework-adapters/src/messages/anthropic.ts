import type { AnthropicParam, Block } from '@palimpsest/client';
import { Exchange } from '../core/exchange.js';
import { textIn } from '../core/parts.js';
import type { SessionMirror } from '../core/session-mirror.js';

/** The members of a body of `POST /v1/messages` that concern the context. */
export type AnthropicBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: string | readonly Block[];
  readonly messages: readonly AnthropicParam[];
  readonly tools?: readonly object[];
  readonly thinking?: { readonly budget_tokens?: number };
};

/** A request to Anthropic. Messages that stay verbatim keep their cache marks. */
export class Conversation extends Exchange<AnthropicParam> {
  constructor(
    mirror: SessionMirror,
    private readonly body: AnthropicBody,
  ) {
    const { messages, system = [], tools = [], model } = body;
    super(mirror, messages, FORM, {
      ...{ model, tools: tools.map(withoutMarks) },
      system: typeof system === 'string' ? system : textIn(system),
    });
  }

  /** Returns the body with the messages of the context. */
  with(messages: readonly AnthropicParam[]): AnthropicBody {
    const { max_tokens, thinking } = this.body;
    const max = Math.min(max_tokens, this.maxOutput ?? max_tokens);
    const { budget_tokens: budget = 0 } = thinking ?? {};
    return {
      ...{ ...this.body, messages, max_tokens: max },
      ...(thinking && budget >= max && { thinking: { ...thinking, budget_tokens: max - 1 } }),
    };
  }
}

/** Cache marks move from request to request: they are no part of a message. */
const withoutMarks = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === 'cache_control' ? undefined : member)));

const FORM = {
  read: (own: AnthropicParam) => [withoutMarks(own)],
  write: ({ role, content }: AnthropicParam) => [{ role, content }],
};
