import {
  type Block,
  blocksOf,
  fileOf,
  isDocument,
  isImage,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
} from '@palimpsest/client';

type GoogleFile = { readonly mimeType?: string; readonly displayName?: string };

/** The members of a part of `@google/genai` that have a form of their own in the API. */
export type GooglePart = {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: GoogleFile & { readonly data?: string };
  readonly fileData?: GoogleFile & { readonly fileUri?: string };
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: object };
  readonly functionResponse?: { readonly id?: string; readonly name?: string; readonly response?: object };
};
/** Structure of a `Content` of `@google/genai`. */
export type GoogleContent = { role?: string; parts?: GooglePart[] };

/** IDs that the ADK makes, and removes from the requests of a model. */
const OF_ADK = 'adk-';

/**
 * Returns a function that converts the contents of one history in their order. Calls that have no ID get one by their number, and a
 * result that of the first open call of its tool.
 */
export const contentReader = (): ((content: GoogleContent) => readonly Message[]) => {
  const open: { readonly id: string; readonly name: string }[] = [];
  let calls = 0;
  const blockOf = (part: GooglePart): readonly Block[] => {
    const { text, inlineData, fileData, functionCall: call, functionResponse: result } = part;
    if (call) {
      calls += 1;
      const own = { id: givenIn(call.id) ?? `call-${calls}`, name: call.name ?? '' };
      open.push(own);
      return [{ type: 'tool_use', ...own, input: call.args ?? {} }];
    }
    if (result) {
      const { id, name = '', response = {} } = result;
      const at = open.findIndex((one) => (givenIn(id) === undefined ? one.name === name : one.id === id));
      const [called] = at < 0 ? [] : open.splice(at, 1);
      const content = blocksOf(textOf(response));
      return [{ type: 'tool_result', tool_use_id: called?.id ?? id ?? name, content }];
    }
    if (text !== undefined && part.thought)
      return [{ type: 'thinking', thinking: text, signature: part.thoughtSignature ?? '' }];
    if (text !== undefined) return blocksOf(text);
    if (inlineData) return [fileOf(inlineData.data ?? '', inlineData.mimeType, inlineData.displayName)];
    if (fileData?.fileUri) return [fileOf(fileData.fileUri, fileData.mimeType, fileData.displayName)];
    return [{ type: 'text', text: JSON.stringify(part) }];
  };
  return ({ role, parts = [] }) => {
    const content = parts.flatMap(blockOf);
    return content.length === 0 ? [] : [{ role: role === 'model' ? 'assistant' : 'user', content }];
  };
};

const givenIn = (id: string | undefined): string | undefined => (id?.startsWith(OF_ADK) ? undefined : id);

/** The ADK wraps a text that a tool returns. */
const textOf = (response: object): string => {
  const [[name, value] = [], ...others] = Object.entries(response);
  const isText =
    others.length === 0 && ['result', 'output'].includes(name ?? '') && typeof value === 'string';
  return isText ? value : JSON.stringify(response);
};

/** Converts a message of the service; `names` are those of the called tools by the ID of the call. */
export const toGoogle = (
  { role, content }: Message,
  names: ReadonlyMap<string, string>,
): readonly GoogleContent[] => {
  const parts = blocksOf(content).flatMap((block): GooglePart[] => {
    if (isText(block)) return [{ text: block.text }];
    if (isToolUse(block)) return [{ functionCall: { name: block.name, args: { ...Object(block.input) } } }];
    if (isToolResult(block)) {
      const name = names.get(block.tool_use_id) ?? '';
      return [{ functionResponse: { name, response: { result: resultText(block) } } }];
    }
    if (!(isImage(block) || isDocument(block)) || block.source.type !== 'base64') return [];
    return [{ inlineData: { mimeType: block.source.media_type, data: block.source.data } }];
  });
  return parts.length === 0 ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts }];
};
