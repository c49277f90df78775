import { type Block, type Message, type OpenSession, pairToolCalls, type ToolResultBlock } from '@app/domain';
import { call, image, message, redacted, result, thinking } from '../builders/index.js';
import type { CallStep, ResultContent, Step, Thought } from './steps.js';

type Of<Kind extends Step['do']> = Extract<Step, { readonly do: Kind }>;

export type Speech = Of<'user' | 'assistant' | 'results' | 'system' | 'empty' | 'misplaced'>;

/** Returns the message of a step in `session`; `id` must be unique within it. */
export const speak = (step: Speech, session: OpenSession, id: string): Message => {
  switch (step.do) {
    case 'user':
      return message(id, 'user', signed(id, step.text), ...(step.image ? [image()] : []));
    case 'system':
      return message(id, 'system', signed(id, step.text));
    case 'empty':
      return message(id, step.role);
    case 'assistant':
      return { ...assistantOf(step, session, id), ...(step.model && { model: step.model }) };
    case 'results':
      return resultsOf(step, session, id);
    case 'misplaced':
      return misplaced(step, id);
  }
};

const assistantOf = (
  { text, thoughts, calls }: Of<'assistant'>,
  session: OpenSession,
  id: string,
): Message => {
  const used = knownCalls(session).map((known) => known.id);
  return message(
    id,
    'assistant',
    ...thoughts.map((thought, at) => thoughtOf(thought, `${id}.${at}`)),
    ...(text === undefined ? [] : [signed(id, text)]),
    ...calls.map((one, at) => callOf(one, at, id, used)),
  );
};

/** Prefixes a text with its message's id, to trace it; blank texts stay blank. */
const signed = (id: string, text: string): string => (text.trim() === '' ? text : `${id}: ${text}`);

const thoughtOf = ({ kind, text }: Thought, name: string): Block => {
  switch (kind) {
    case 'signed':
      return thinking(`${name} ${text}`, `signature of ${name}`);
    case 'foreign':
      return thinking(`${name} ${text}`, `{"id":"rs_${name}"}`);
    case 'unsigned':
      return thinking(`${name} ${text}`);
    case 'redacted':
      return redacted(`${name} ${text}`);
  }
};

const callOf = ({ id, file }: CallStep, at: number, messageId: string, used: readonly string[]): Block => {
  const input = { path: `/src/${file}.ts` };
  const name = file % 2 === 0 ? 'read_file' : 'edit_file';
  if (id === 'reused') return call(used[file % Math.max(1, used.length)] ?? 'toolu_reused', name, input);
  if (id === 'twin') return call(`${messageId}_twin`, name, input);
  if (id === 'awkward') return call(`call:${messageId}/${'é'.repeat(70)}`, 'mcp.server/tool', input);
  return call(`toolu_${messageId}_${at}`, name, input);
};

const resultsOf = (
  { of, content, saying, error }: Of<'results'>,
  session: OpenSession,
  id: string,
): Message => {
  const known = knownCalls(session);
  const open = known.filter((one) => !one.result);
  const wanted = {
    all: open,
    first: open.slice(0, 1),
    last: open.slice(-1),
    answered: known.filter((one) => one.result).slice(-1),
    unknown: [{ id: `stranger_${id}` }],
    next: [{ id: nextCallOf(id) }],
  }[of];
  const results = wanted.map(
    (one): ToolResultBlock => ({
      ...resultOf(one.id, { ...content, text: signed(id, content.text) }),
      ...(error && { is_error: true }),
    }),
  );
  return message(id, 'user', ...results, ...(saying === undefined ? [] : [signed(id, saying)]));
};

/** The id of the next message's call, whose result precedes it. */
const nextCallOf = (id: string): string => `toolu_m${Number(id.slice(1)) + 1}_0`;

const resultOf = (callId: string, { form, text }: ResultContent): ToolResultBlock => {
  switch (form) {
    case 'string':
      return result(callId, text);
    case 'parts':
      return result(callId, [
        { type: 'text', text },
        { type: 'text', text: '' },
      ]);
    case 'image':
      return result(callId, [{ type: 'text', text }, image()]);
    case 'blank':
      return result(callId, ' \n');
    case 'none':
      return { type: 'tool_result', tool_use_id: callId };
  }
};

const misplaced = ({ block }: Of<'misplaced'>, id: string): Message => {
  switch (block) {
    case 'call':
      return message(id, 'user', call(`toolu_${id}_misplaced`));
    case 'result':
      return message(id, 'assistant', result('toolu_m1_0', 'said by the assistant'));
    case 'thinking':
      return message(id, 'user', thinking('not mine', 'signature'), 'and a word');
    case 'image':
      return message(id, 'assistant', image(), 'look');
    case 'opaque':
      return message(id, 'assistant', { type: 'provider_block', query: 'weather' }, 'as the search says');
  }
};

const knownCalls = (session: OpenSession) =>
  pairToolCalls(session.entries.map((entry) => entry.message)).calls;
