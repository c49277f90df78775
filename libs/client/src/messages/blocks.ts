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
/** A content block in Anthropic's form; unknown types are passed unchanged. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ImageBlock
  | ToolUseBlock
  | ToolResultBlock
  | { readonly type: string };

export const isText = (block: Block): block is TextBlock => block.type === 'text' && 'text' in block;
export const isThinking = (block: Block): block is ThinkingBlock =>
  block.type === 'thinking' && 'thinking' in block;
export const isImage = (block: Block): block is ImageBlock => block.type === 'image' && 'source' in block;
export const isToolUse = (block: Block): block is ToolUseBlock => block.type === 'tool_use' && 'id' in block;
export const isToolResult = (block: Block): block is ToolResultBlock =>
  block.type === 'tool_result' && 'tool_use_id' in block;

export const blocksOf = (content: string | readonly Block[]): readonly Block[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content;

/** Returns the text of a tool result; media are omitted. */
export const resultText = ({ content = '' }: ToolResultBlock): string =>
  blocksOf(content)
    .flatMap((part) => (isText(part) ? [part.text] : []))
    .join('\n');

const DATA_URL = /^data:([^;,]+)(?:;[^;,]+)*;base64,/;
/** Returns an image by its URL; the bytes of a data URL become its source. */
export const imageAt = (url: string): ImageBlock => {
  const [head = '', media_type] = DATA_URL.exec(url) ?? [];
  if (media_type === undefined) return { type: 'image', source: { type: 'url', url } };
  return { type: 'image', source: { type: 'base64', media_type, data: url.slice(head.length) } };
};

/** Returns the URL of an image, which has the bytes of one without. */
export const urlOf = ({ source }: ImageBlock): string =>
  source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
