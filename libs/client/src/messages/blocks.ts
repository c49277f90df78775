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
/** A file that is no image. */
export type DocumentBlock = {
  readonly type: 'document';
  readonly source:
    | ImageBlock['source']
    | { readonly type: 'text'; readonly media_type: string; readonly data: string };
  readonly title?: string;
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
  | DocumentBlock
  | ToolUseBlock
  | ToolResultBlock
  | { readonly type: string };

export const isText = (block: Block): block is TextBlock => block.type === 'text' && 'text' in block;
export const isThinking = (block: Block): block is ThinkingBlock =>
  block.type === 'thinking' && 'thinking' in block;
export const isImage = (block: Block): block is ImageBlock => block.type === 'image' && 'source' in block;
export const isDocument = (block: Block): block is DocumentBlock =>
  block.type === 'document' && 'source' in block;
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

/**
 * Returns a file as an image or a document, so that it is counted as one and not by its characters.
 *
 * @param data its bytes, in base64 if they are a string, or its URL.
 */
export const fileOf = (
  data: unknown,
  mediaType: string | undefined,
  title?: string,
): ImageBlock | DocumentBlock => {
  const text = data instanceof Uint8Array ? base64Of(data) : String(data);
  const media_type = DATA_URL.exec(text)?.[1] ?? mediaType ?? 'application/octet-stream';
  // Base64 has no colon.
  const source = /^[a-z][a-z\d+.-]*:/i.test(text)
    ? imageAt(text).source
    : { type: 'base64' as const, media_type, data: text };
  if (/^image(?:\/|$)/.test(media_type)) return { type: 'image', source };
  return { type: 'document', source, ...(title !== undefined && { title }) };
};
const base64Of = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** Returns the arguments of a call, which models may get wrong; other values than objects are kept under `_raw`. */
export const inputOf = (input: unknown): object => {
  if (input === undefined || input === null) return {};
  if (typeof input === 'object' && !Array.isArray(input)) return input;
  return { _raw: typeof input === 'string' ? input : JSON.stringify(input) };
};

/** Returns the URL of an image, which has the bytes of one without. */
export const urlOf = ({ source }: ImageBlock): string =>
  source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
