import { type Block, type ToolResultBlock, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { asText, textBlocks } from '../drafts/content-blocks.js';
import { asInserted } from '../drafts/inserted.js';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import { blockOfPart } from '../wires/openai-chat/convert-part.js';

/** The conversion of a part: blocks of its message, and the result of a call part. */
export type ReadPart = { readonly blocks: readonly Block[]; readonly result?: ToolResultBlock };

/** Internal parts of OpenCode; a file that was read in full is also text. */
const OWN = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'retry', 'compaction']);
const TEXTS = new Set(['text/plain', 'application/x-directory']);

/** Returns `undefined` for a part of unknown shape. */
export const readPart = (part: Json): ReadPart | undefined => {
  if (!isJsonObject(part) || typeof part.type !== 'string') return undefined;
  if (OWN.has(part.type)) return { blocks: [] };
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' && part.ignored !== true
        ? { blocks: part.synthetic === true ? asInserted(textBlocks(part.text)) : textBlocks(part.text) }
        : { blocks: [] };
    case 'reasoning':
      return { blocks: [thinkingFrom(part)] };
    case 'file':
      return TEXTS.has(String(part.mime)) ? { blocks: [] } : { blocks: [mediaFrom(part)] };
    case 'subtask':
      return { blocks: textBlocks(stringIn(part, 'prompt') ?? '') };
    case 'tool':
      return toolFrom(part);
    default:
      return { blocks: [asText(part)] };
  }
};

const thinkingFrom = (part: JsonObject): Block => {
  const thinking = stringIn(part, 'text') ?? '';
  const metadata = objectIn(part, 'metadata') ?? {};
  const signature = stringIn(objectIn(metadata, 'anthropic') ?? {}, 'signature');
  if (signature !== undefined) return { type: 'thinking', thinking, signature };
  const { itemId, reasoningEncryptedContent: encrypted } = objectIn(metadata, 'openai') ?? {};
  if (typeof encrypted === 'string') {
    const summary = thinking === '' ? [] : [{ type: 'summary_text', text: thinking }];
    const item = { type: 'reasoning', ...(itemId !== undefined && { id: itemId }), summary };
    return {
      type: 'thinking',
      thinking,
      signature: JSON.stringify({ ...item, encrypted_content: encrypted }),
    };
  }
  // Signatures of other providers are kept and never sent.
  return { type: 'thinking', thinking, ...(Object.keys(metadata).length > 0 && { opencode: metadata }) };
};

/** Returns a data URL as an image or a document; links and names stay unchanged. */
const mediaFrom = (part: JsonObject): Block => {
  const [mime, url] = [stringIn(part, 'mime') ?? '', stringIn(part, 'url') ?? ''];
  if (mime.startsWith('image/') && /^(?:data|https?):/.test(url))
    return blockOfPart({ type: 'input_image', image_url: url }) ?? asText(part);
  const data = /^data:[^,]*;base64,/.exec(url);
  if (mime !== 'application/pdf' || !data) return textBlock(`[file ${stringIn(part, 'filename') ?? url}]`);
  const source = { type: 'base64', media_type: mime, data: url.slice(data[0].length) };
  return { type: 'document', source };
};

const toolFrom = (part: JsonObject): ReadPart | undefined => {
  const [id, name, state] = [stringIn(part, 'callID'), stringIn(part, 'tool'), objectIn(part, 'state')];
  if (id === undefined || name === undefined || !state) return undefined;
  const call: Block = { type: 'tool_use', id, name, input: objectIn(state, 'input') ?? {} };
  const result = resultFrom(id, state);
  return { blocks: [call], ...(result && { result }) };
};

/** Returns `undefined` if the tool was pending or running. */
const resultFrom = (id: string, state: JsonObject): ToolResultBlock | undefined => {
  if (state.status === 'error')
    return { type: 'tool_result', tool_use_id: id, content: errorIn(state), is_error: true };
  if (state.status !== 'completed') return undefined;
  const output = stringIn(state, 'output') ?? '';
  const media = (listIn(state, 'attachments') ?? []).filter(isJsonObject).map(mediaFrom);
  const content = media.length === 0 ? output : [...textBlocks(output), ...media];
  return { type: 'tool_result', tool_use_id: id, content };
};

/** For an aborted tool the model receives the output so far. */
const errorIn = (state: JsonObject): string => {
  const metadata = objectIn(state, 'metadata') ?? {};
  const output = metadata.interrupted === true ? stringIn(metadata, 'output') : undefined;
  return output ?? stringIn(state, 'error') ?? '';
};
