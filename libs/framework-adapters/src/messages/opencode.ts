import {
  type Block,
  blocksOf,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
} from '@palimpsest/client';
import type { Paired } from '../core/mirrors.js';
import type { Piece } from '../core/pieces.js';

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
  const content = parts.flatMap(blockOf);
  const results = parts.flatMap(resultOf);
  if (info.role !== 'assistant') return content.length === 0 ? [] : [{ role: 'user', content }];
  return [
    ...(content.length === 0 ? [] : [{ role: 'assistant' as const, content }]),
    ...(results.length === 0 ? [] : [{ role: 'user' as const, content: results }]),
  ];
};

const blockOf = ({
  type,
  text = '',
  ignored,
  callID,
  tool,
  state,
  mime = '',
  url = '',
}: OpenCodePart): readonly Block[] => {
  if (type === 'text') return ignored || text === '' ? [] : [{ type, text }];
  if (type === 'reasoning') return [{ type: 'thinking', ...{ thinking: text } }];
  if (type === 'tool')
    return [{ type: 'tool_use', ...{ id: callID, name: tool, input: state?.input ?? {} } }];
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (type !== 'file' || !mime.startsWith('image/') || data === undefined) return [];
  return [{ type: 'image', ...{ source: { type: 'base64', media_type: mime, data } } }];
};

const INTERRUPTED = '[Tool execution was interrupted]';
const resultOf = ({ type, callID = '', state }: OpenCodePart): readonly Block[] => {
  if (type !== 'tool') return [];
  const result = { type: 'tool_result', tool_use_id: callID };
  if (state?.status === 'completed') return [{ ...result, ...{ content: state.output ?? '' } }];
  return [{ ...result, ...{ content: state?.error ?? INTERRUPTED, is_error: true } }];
};

/** Returns the context as messages of OpenCode. */
export const toOpenCode = (
  pieces: readonly Piece[],
  paired: readonly Paired<OpenCodeMessage>[],
): readonly OpenCodeMessage[] => {
  const all = paired.map(({ own }) => own);
  const ownerOf = new Map(all.flatMap((own) => own.parts.map(({ callID }) => [callID, own] as const)));
  const handed: OpenCodeMessage[] = [];
  /** Adds a message, unless it was the last one: then that stays as it is. */
  const add = (own: OpenCodeMessage | undefined): void => {
    if (own && handed.at(-1)?.info.id !== own.info.id) handed.push(own);
  };
  const write = (role: Message['role'], text: string): void => {
    const like = all.findLast(({ info }) => (info.role === 'assistant') === (role === 'assistant')) ?? all[0];
    if (!like || text === '') return;
    const id = `${like.info.id}-palimpsest-${handed.length}`;
    const part = {
      ...{ id: `${id}-text`, messageID: id, sessionID: like.info.sessionID },
      type: 'text',
      text,
    };
    handed.push({ info: { ...like.info, id }, parts: [part] });
  };
  for (const piece of pieces) {
    if ('own' in piece) {
      add(paired[piece.own]?.own);
      continue;
    }
    const { role, content } = piece.message;
    const blocks = blocksOf(content);
    const calls = blocks.filter(isToolUse);
    const results = blocks.filter(isToolResult);
    for (const { id } of calls) add(ownerOf.get(id));
    for (const result of results) {
      add(ownerOf.get(result.tool_use_id));
      const last = handed.pop();
      if (last) handed.push(withOutput(last, result.tool_use_id, resultText(result)));
    }
    const texts = blocks.filter(isText).map(({ text }) => text);
    if (calls.length === 0) write(role, texts.join('\n\n'));
  }
  return handed;
};

/** Returns the message with another output of a call. */
const withOutput = ({ info, parts }: OpenCodeMessage, call: string, output: string): OpenCodeMessage => ({
  info,
  parts: parts.map((part) =>
    part.callID === call && part.state ? { ...part, state: { ...part.state, output } } : part,
  ),
});
