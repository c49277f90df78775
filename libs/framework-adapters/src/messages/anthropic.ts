import { type AnthropicParam, type Block, isToolResult } from '@palimpsest/client';
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
      ...{ model, tools: tools.map(withoutMark) },
      system: typeof system === 'string' ? system : textIn(system),
    });
  }

  /** Returns the body with the messages of the context: the given one, if these are its own. */
  with(messages: readonly AnthropicParam[]): AnthropicBody {
    const { max_tokens, thinking } = this.body;
    const max = Math.min(max_tokens, this.answerRoom ?? max_tokens);
    const own = this.body.messages;
    const isOwn = messages.length === own.length && messages.every((one, at) => one === own[at]);
    if (isOwn && max === max_tokens) return this.body;
    const { budget_tokens: budget = 0 } = thinking ?? {};
    return {
      ...{ ...this.body, messages, max_tokens: max },
      ...(thinking && budget >= max && { thinking: thinkingWithin(max, thinking) }),
    };
  }
}

/** The least that Anthropic takes as a budget for thinking, in tokens. */
const THINKING_LEAST = 1_024;

/** Half of the answer, or no thinking if that is too little: the gateway does the same. */
const thinkingWithin = (max: number, thinking: object): object => {
  const budget = Math.max(THINKING_LEAST, Math.floor(max / 2));
  return budget < max ? { ...thinking, budget_tokens: budget } : { type: 'disabled' };
};

/** Cache marks move from request to request: they are no part of a block or a tool. */
const withoutMark = <Marked extends object>(marked: Marked): Marked => {
  if (!('cache_control' in marked)) return marked;
  const { cache_control: _, ...rest } = marked;
  return rest as Marked; // Only the mark is left out, which no type declares.
};

/** Returns blocks without marks, also of the blocks in results; the same ones if they have none. */
const unmarked = (blocks: readonly Block[]): readonly Block[] => {
  const all = blocks.map((block) => {
    const own = withoutMark(block);
    if (!isToolResult(own) || typeof own.content === 'string' || own.content === undefined) return own;
    const content = unmarked(own.content);
    return content === own.content ? own : { ...own, content };
  });
  return all.every((one, at) => one === blocks[at]) ? blocks : all;
};

const unmarkedMessage = (message: AnthropicParam): AnthropicParam => {
  if (typeof message.content === 'string') return message;
  const content = unmarked(message.content);
  return content === message.content ? message : { ...message, content };
};

const FORM = {
  read: (own: AnthropicParam) => [unmarkedMessage(own)],
  write: ({ role, content }: AnthropicParam) => [{ role, content }],
};
