import { type ERASED_TEXT, markedBlock, type SessionEventType } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

/** Placeholders of content: in the public part of a stored event, and after an erasure. */
export type Marker = '[sealed]' | typeof ERASED_TEXT;
export const SEALED: Marker = '[sealed]';

/** Returns the public form of a content value, which fits the event's schema; `undefined` removes the member. */
type Reduce = (value: Json, marker: Marker) => Json | undefined;

/** Content at the end of a path of member names; `*` stands for every item of a list. */
export type ContentRule = {
  readonly path: readonly string[];
  readonly reduce: Reduce;
  /** Number of steps of the path to the object that names the content's subjects, in the member `subjectsIn`. */
  readonly owner: number;
  readonly subjectsIn: 'subjects' | 'historySubjects';
};

const text: Reduce = (value, marker) => (typeof value === 'string' ? marker : value);
const absent: Reduce = () => undefined;
const noItems: Reduce = () => [];
const noMembers: Reduce = () => ({});

const block: Reduce = (value, marker) => {
  const whole = isJsonObject(value) ? value : {};
  return marker === SEALED ? sealedBlock(whole) : markedBlock(whole, marker);
};

/** Keeps the type, so that blocks are counted without opening them; an unknown type is content. */
const sealedBlock = (whole: JsonObject): JsonObject => {
  const { type } = whole;
  switch (type) {
    case 'text':
    case 'tool_use':
    case 'tool_result':
      return markedBlock(whole, SEALED);
    case 'image':
    case 'document':
      return { type, source: {} };
    case 'thinking':
      return { type, thinking: SEALED };
    case 'redacted_thinking':
      return { type, data: SEALED };
    default:
      return { type: 'other' };
  }
};

/** Keeps the names of tools: providers refuse calls in a history without the tools that they name. */
const tool: Reduce = (value, marker) => {
  if (!isJsonObject(value)) return {};
  const { name, function: declared } = value;
  if (isJsonObject(declared)) {
    const { name: called } = declared;
    return { type: 'function', function: { name: called, description: marker, parameters: ANY_INPUT } };
  }
  return { name, description: marker, input_schema: ANY_INPUT };
};
const ANY_INPUT: JsonObject = { type: 'object' };

/** A change of a text, which may be a part of one: its public form is a whole text. */
const change =
  (whole: (marker: Marker) => string): Reduce =>
  (value, marker) =>
    isJsonObject(value) ? { digest: marker, text: whole(marker) } : value;

const at = (path: string, reduce: Reduce): ContentRule => ({
  path: path.split('.'),
  reduce,
  owner: 0,
  subjectsIn: 'subjects',
});
/** The object at the end of `prefix` names the subjects of the content that the rules find in it. */
const under = (prefix: string, rules: readonly ContentRule[]): readonly ContentRule[] => {
  const steps = prefix.split('.');
  return rules.map((rule) => ({
    ...rule,
    path: [...steps, ...rule.path],
    owner: steps.length + rule.owner,
  }));
};
const ofHistory = (rules: readonly ContentRule[]): readonly ContentRule[] =>
  rules.map((rule) => ({ ...rule, subjectsIn: 'historySubjects' }));

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
    ...ofHistory([at('contributions.*.text', text), at('client', absent)]),
  ]),
  ...under('leadingSystem.*.message', MESSAGE),
  ...under('carried.message', MESSAGE),
  ...under('pins.*', [at('text', text)]),
  ...under('hold', REASON),
]);
const SUMMARY = [at('summary', text), ...REINJECTED, ...FILES, ...FILES_LATER, ...OPENING];

/**
 * Where events hold content: text of messages, prompts, tools, summaries, pins, instructions, and reasons, and digests of
 * them, which would confirm a guess after the text is erased. Types, ids, names of tools, sizes, counts and fingerprints of
 * subjects are public.
 */
export const CONTENT_RULES: { readonly [Type in SessionEventType]?: readonly ContentRule[] } = {
  SessionOpened: OPENED,
  SessionDescribed: DESCRIPTION,
  MessageAppended: under('message', MESSAGE),
  ContentPinned: under('pin', [at('text', text)]),
  SessionClosed: REASON,
  RequestPartsChanged: [
    at(
      'systemPrompt',
      change((marker) => marker),
    ),
    at(
      'tools',
      change(() => '[]'),
    ),
    ...ofHistory([
      at('contributions.digest', text),
      at('contributions.given.*.text', text),
      at('client', absent),
    ]),
  ],
  RequestComposed: [
    at('digest', text),
    ...['systemPrompt', 'tools', 'contributions', 'client'].map((part) => at(`parts.${part}`, text)),
  ],
  CompactionOverridden: REASON,
  CompactionsHeld: REASON,
  CompactionsReleased: REASON,
  CompactionRequested: [at('instructions', text)],
  CompactionDeferred: [at('instructions', text), ...REASON],
  CompactionStarted: [at('inputHash', text), at('contextLines.*', text)],
  CompactionCompleted: [...SUMMARY, at('fidelity.missing', noItems), at('fidelity.directives.lost', absent)],
  CompactionCancelled: REASON,
  CompactionReverted: REASON,
  SessionReset: [...REASON, ...OPENING],
  SessionForked: SUMMARY,
};
