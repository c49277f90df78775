export type TextBlock = { readonly type: 'text'; readonly text: string };
export type ThinkingBlock = {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature?: string;
};
export type ImageBlock = {
  readonly type: 'image';
  readonly source:
    | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
    | { readonly type: 'url'; readonly url: string };
};
export type ToolUseBlock = {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
};
export type ToolResultBlock = {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly { readonly type: string }[];
  readonly is_error?: boolean;
};
/** A content block as Anthropic's messages have it; types that are not named here pass as they are. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ImageBlock
  | ToolUseBlock
  | ToolResultBlock
  | { readonly type: string };

export type Role = 'user' | 'assistant' | 'system';
/** A message as the API takes it. Anthropic's `MessageParam` is one. */
export type Message = {
  /** Unique in its session: one is given to it where it has none. */
  readonly id?: string;
  readonly role: Role;
  readonly content: string | readonly Block[];
  /** The model that wrote it. Reasoning is bound to it. */
  readonly model?: string;
};
/** Tokens that a provider billed for one answer. None of them counts twice. */
export type Usage = {
  /** Neither read from the cache nor written to it. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Of `cacheWriteTokens`, those that were written to stay for an hour. */
  readonly cacheWrite1hTokens?: number;
  readonly outputTokens: number;
};
/** An answer of a model, as `sessions.append` takes it. */
export type Answered = {
  readonly messages: readonly Message[];
  readonly usage?: Usage;
  /** Why the turn has ended; missing where it goes on with the results of tools. */
  readonly stopReason?: string;
};

export const isText = (block: Block): block is TextBlock => block.type === 'text' && 'text' in block;
export const isThinking = (block: Block): block is ThinkingBlock =>
  block.type === 'thinking' && 'thinking' in block;
export const isImage = (block: Block): block is ImageBlock => block.type === 'image' && 'source' in block;
export const isToolUse = (block: Block): block is ToolUseBlock => block.type === 'tool_use' && 'id' in block;
export const isToolResult = (block: Block): block is ToolResultBlock =>
  block.type === 'tool_result' && 'tool_use_id' in block;

export const blocksOf = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content;

/** What a result says in words; media in it have none. */
export const resultText = ({ content = '' }: ToolResultBlock): string =>
  blocksOf(content)
    .flatMap((part) => (isText(part) ? [part.text] : []))
    .join('\n');
