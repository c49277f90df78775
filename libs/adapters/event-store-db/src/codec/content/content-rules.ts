import type { SessionEventType } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

/** What stands for content in the public part of an event. */
const SEALED = '[sealed]';

/** Returns the public form of a content value, which fits the event's schema; `undefined` removes the member. */
type Reduce = (value: Json) => Json | undefined;

/** Content at the end of a path of member names; `*` stands for every item of a list. */
export type ContentRule = { readonly path: readonly string[]; readonly reduce: Reduce };

const text: Reduce = (value) => (typeof value === 'string' ? SEALED : value);
const absent: Reduce = () => undefined;
const noItems: Reduce = () => [];
const noMembers: Reduce = () => ({});

/** Keeps what pairs calls with results and what providers require of the shape; everything else is content. */
const block: Reduce = (value) => {
  if (!isJsonObject(value)) return { type: 'text', text: SEALED };
  const { type, id, name, tool_use_id, is_error } = value;
  if (type === 'tool_use') return { type, id, name, input: {} };
  if (type === 'tool_result')
    return { type, tool_use_id, content: SEALED, ...(is_error !== undefined && { is_error }) };
  return { type: 'text', text: SEALED };
};

/** Keeps the names of tools: providers refuse calls in a history without the tools that they name. */
const tool: Reduce = (value) => {
  if (!isJsonObject(value)) return {};
  const { name, function: declared } = value;
  if (isJsonObject(declared)) {
    const { name: called } = declared;
    return { type: 'function', function: { name: called, description: SEALED, parameters: ANY_INPUT } };
  }
  return { name, description: SEALED, input_schema: ANY_INPUT };
};
const ANY_INPUT: JsonObject = { type: 'object' };

/** A change of a text, which may be a part of one: its public form is a whole text. */
const change =
  (whole: string): Reduce =>
  (value) =>
    isJsonObject(value) ? { digest: value.digest, text: whole } : value;

const at = (path: string, reduce: Reduce): ContentRule => ({ path: path.split('.'), reduce });
const under = (prefix: string, rules: readonly ContentRule[]): readonly ContentRule[] =>
  rules.map(({ path, reduce }) => ({ path: [...prefix.split('.'), ...path], reduce }));

const DESCRIPTION = [at('title', absent), at('project', absent), at('labels', noMembers)];
const OPENED = [at('systemPrompt', text), at('tools.*', tool), ...DESCRIPTION];
const MESSAGE = [at('blocks.*', block)];
const REINJECTED = [at('reinjected.*.name', text), at('reinjected.*.text', text)];
const FILES = [at('fileOperations.read', noItems), at('fileOperations.modified', noItems)];
const FILES_LATER = [at('fileOperations.deleted', absent), at('fileOperations.renamed', absent)];
const REASON = [at('reason', text)];

const OPENING = under('opening', [
  ...under('opened', OPENED),
  ...under('description', DESCRIPTION),
  ...under('parts', [
    at('systemPrompt', text),
    at('tools.*', tool),
    at('contributions.*.text', text),
    at('client', absent),
  ]),
  ...under('leadingSystem.*.message', MESSAGE),
  ...under('carried.message', MESSAGE),
  at('pins.*.text', text),
  at('hold.reason', text),
]);
const SUMMARY = [at('summary', text), ...REINJECTED, ...FILES, ...FILES_LATER, ...OPENING];

/**
 * Where events hold content: text of messages, prompts, tools, summaries, pins, instructions, and reasons. Types,
 * ids, names of tools, sizes, counts and digests are public.
 */
export const CONTENT_RULES: { readonly [Type in SessionEventType]?: readonly ContentRule[] } = {
  SessionOpened: OPENED,
  SessionDescribed: DESCRIPTION,
  MessageAppended: under('message', MESSAGE),
  ContentPinned: [at('pin.text', text)],
  SessionClosed: REASON,
  RequestPartsChanged: [
    at('systemPrompt', change(SEALED)),
    at('tools', change('[]')),
    at('contributions.given.*.text', text),
    at('client', absent),
  ],
  CompactionOverridden: REASON,
  CompactionsHeld: REASON,
  CompactionsReleased: REASON,
  CompactionRequested: [at('instructions', text)],
  CompactionDeferred: [at('instructions', text), ...REASON],
  CompactionStarted: [at('contextLines.*', text)],
  CompactionCompleted: [...SUMMARY, at('fidelity.missing', noItems), at('fidelity.directives.lost', absent)],
  CompactionCancelled: REASON,
  CompactionReverted: REASON,
  SessionReset: [...REASON, ...OPENING],
  SessionForked: SUMMARY,
};
