import { type Block, type ToolResultBlock, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { asText, textBlocks } from '../drafts/content-blocks.js';
import { asInserted } from '../drafts/inserted.js';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import { blockOfPart } from '../wires/openai-chat/convert-part.js';

/** What a part is to the conversation: blocks of its message, and the result of the call that it is. */
export type ReadPart = { readonly blocks: readonly Block[]; readonly result?: ToolResultBlock };

/** Parts that OpenCode keeps for itself; a file that was read in full stands beside its name as text. */
const OWN = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'retry', 'compaction']);
const TEXTS = new Set(['text/plain', 'application/x-directory']);

/** `undefined` where the part is none of a known shape. */
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
  // What other providers bind it with is kept, and sent to nobody.
  return { type: 'thinking', thinking, ...(Object.keys(metadata).length > 0 && { opencode: metadata }) };
};

/** A file by a data URL, as an image or a document; a link or a name stays what it is. */
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

/** None where the tool was still at work, or about to be. */
const resultFrom = (id: string, state: JsonObject): ToolResultBlock | undefined => {
  if (state.status === 'error')
    return { type: 'tool_result', tool_use_id: id, content: errorIn(state), is_error: true };
  if (state.status !== 'completed') return undefined;
  const output = stringIn(state, 'output') ?? '';
  const media = (listIn(state, 'attachments') ?? []).filter(isJsonObject).map(mediaFrom);
  const content = media.length === 0 ? output : [...textBlocks(output), ...media];
  return { type: 'tool_result', tool_use_id: id, content };
};

/** Of a tool that was broken off, what it had put out until then is what the model is given. */
const errorIn = (state: JsonObject): string => {
  const metadata = objectIn(state, 'metadata') ?? {};
  const output = metadata.interrupted === true ? stringIn(metadata, 'output') : undefined;
  return output ?? stringIn(state, 'error') ?? '';
};
