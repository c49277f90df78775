import {
  type Block,
  blocksOf,
  fileOf,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
} from '@palimpsest/client';
import { textIn } from '../core/parts.js';

type State = {
  readonly status: string;
  readonly input: unknown;
  readonly output?: string;
  readonly error?: string;
};
/** Structure of a `Part` of OpenCode, with the members of the kinds that requests carry. */
export type OpenCodePart = {
  readonly id: string;
  readonly messageID: string;
  readonly type: string;
  readonly text?: string;
  readonly ignored?: boolean;
  readonly callID?: string;
  readonly tool?: string;
  readonly state?: State;
  readonly mime?: string;
  readonly url?: string;
  readonly filename?: string;
};
/** Structure of a message of OpenCode: the call of a tool and its result are one part. */
export type OpenCodeMessage = {
  readonly info: {
    readonly id: string;
    readonly role: string;
    readonly sessionID: string;
    readonly modelID?: string;
    readonly model?: { readonly modelID: string };
  };
  readonly parts: OpenCodePart[];
};

/** Converts a message of OpenCode: an answer with calls becomes the answer and its results. */
export const fromOpenCode = ({ info, parts }: OpenCodeMessage): readonly Message[] => {
  const isAnswer = info.role === 'assistant';
  const said: Message = { role: isAnswer ? 'assistant' : 'user', content: parts.flatMap(blockOf) };
  const results: Message = { role: 'user', content: isAnswer ? parts.flatMap(resultOf) : [] };
  return [said, results].filter(({ content }) => content.length > 0);
};

const blockOf = (part: OpenCodePart): readonly Block[] => {
  const { type, text = '', callID: id, tool: name, state, mime, url = '', filename } = part;
  if (type === 'text') return part.ignored || text === '' ? [] : [{ type, text }];
  if (type === 'reasoning') return [{ type: 'thinking', ...{ thinking: text } }];
  if (type === 'tool') return [{ type: 'tool_use', ...{ id, name, input: state?.input ?? {} } }];
  // OpenCode has put the content of a text file into a part of its own.
  const isSent = type === 'file' && url.startsWith('data:') && mime !== 'text/plain';
  return isSent ? [fileOf(url, mime, filename)] : [];
};

const INTERRUPTED = '[Tool execution was interrupted]';
const resultOf = ({ type, callID = '', state }: OpenCodePart): readonly Block[] => {
  if (type !== 'tool') return [];
  const result = { type: 'tool_result', tool_use_id: callID };
  if (state?.status === 'completed') return [{ ...result, ...{ content: state.output ?? '' } }];
  return [{ ...result, ...{ content: state?.error ?? INTERRUPTED, is_error: true } }];
};

/**
 * Returns a function that converts messages of the service. Calls and results become the message of OpenCode that has them, with
 * the outputs that the service has changed; texts become messages of their own.
 *
 * @param all the messages of the history.
 */
export const openCodeWriter = (
  all: readonly OpenCodeMessage[],
): ((message: Message) => readonly OpenCodeMessage[]) => {
  const ownerOf = new Map(all.flatMap((own) => own.parts.map(({ callID }) => [callID, own] as const)));
  let written = 0;
  const write = (isAnswer: boolean, text: string): readonly OpenCodeMessage[] => {
    const like = all.findLast(({ info }) => (info.role === 'assistant') === isAnswer) ?? all[0];
    if (!like || text === '') return [];
    written += 1;
    const info = { ...like.info, id: `${like.info.id}-palimpsest-${written}` };
    const part = { id: `${info.id}-text`, messageID: info.id, sessionID: info.sessionID, type: 'text', text };
    return [{ info, parts: [part] }];
  };
  return ({ role, content }) => {
    const blocks = blocksOf(content);
    const calls = blocks.filter(isToolUse).map(({ id }) => id);
    const results = blocks.filter(isToolResult);
    const outputs = new Map(results.map((result) => [result.tool_use_id, resultText(result)]));
    const owners = new Set([...calls, ...outputs.keys()].flatMap((id) => ownerOf.get(id) ?? []));
    const withOutput = (part: OpenCodePart): OpenCodePart => {
      const output = outputs.get(part.callID ?? '');
      return output !== undefined && part.state ? { ...part, state: { ...part.state, output } } : part;
    };
    return [
      ...[...owners].map(({ info, parts }) => ({ info, parts: parts.map(withOutput) })),
      ...(calls.length > 0 ? [] : write(role === 'assistant', textIn(blocks))),
    ];
  };
};
