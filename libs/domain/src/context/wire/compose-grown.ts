import { isSameList, type MessageId } from '@app/kernel';
import { isText, isToolUse, type Message } from '../../message/index.js';
import type { WireFormat, WireMessage, WireRequest } from '../../message/wire.js';
import { declaredName } from '../../view/recall/recall-tool.js';
import type { Manifest } from '../manifest.js';
import { isBlank } from './clean-blocks.js';
import { type ComposedPart, composePart, composeWire, inOrder, type PartNotes } from './compose-wire.js';
import { answersBeforeLastTool, usedTools } from './declare-tools.js';
import { dependsOnPrefix } from './reasoning.js';

/**
 * The composed beginning of a session's requests, which messages after it do not change: they begin with the assistant after a
 * message of the user, and have no ID of a call in common with it.
 */
type Beginning = {
  readonly format: WireFormat;
  /** What the form of messages depends on, besides the messages. */
  readonly manifest: Manifest;
  readonly sources: readonly Message[];
  readonly parts: readonly (readonly WireMessage[])[];
  readonly notes: readonly PartNotes[];
  /** Those of the parts together: they grow with the beginning, of which only the longest is kept. */
  readonly ids: Set<string>;
  readonly tools: Set<string>;
};

/** Messages that a beginning grows by, at least. */
const STEP = 16;
/** Newest messages that belong to no beginning: results of their calls may follow. */
const UNSETTLED = 4;

/** The beginning, and the number of messages from which a longer one is looked for. */
type Slot = { readonly beginning: Beginning | undefined; readonly growsAt: number };
/** By the first message. */
const SLOTS = new WeakMap<Message, Slot>();

/** Composes like {@link composeWire}, without reading those messages again that an earlier request of the session had as well. */
export const composeGrown = (manifest: Manifest, format: WireFormat): WireRequest => {
  const beginning = beginningOf(manifest, format);
  if (!beginning) return composeWire(manifest, format);
  const { messages } = manifest;
  const rest = composePart(manifest, format, { from: beginning.sources.length, to: messages.length });
  if (!continues(beginning, rest)) return composeWire(manifest, format);
  return {
    parts: [...beginning.parts, rest.messages],
    tools: usedTools(manifest.tools, [...beginning.tools, ...rest.tools]),
    notes: inOrder([...beginning.notes, rest.notes]),
  };
};

/** Returns the longest known beginning of a request, and lets it grow from time to time. */
const beginningOf = (manifest: Manifest, format: WireFormat): Beginning | undefined => {
  const { messages } = manifest;
  const [first] = messages;
  if (!first || messages.length < STEP + UNSETTLED) return undefined;
  const slot = SLOTS.get(first);
  const known = slot?.beginning;
  const fitting = known && isBeginning(known, manifest, format) ? known : undefined;
  if (slot && messages.length < slot.growsAt && (fitting || !known)) return fitting;
  const to = nextStart(messages, fitting?.sources.length ?? 0);
  if (to === undefined) return fitting;
  const longer = (fitting && grown(fitting, manifest, to)) ?? begun(manifest, format, to);
  const growsAt = longer ? to + STEP + UNSETTLED : 2 * messages.length;
  SLOTS.set(first, { beginning: longer, growsAt });
  return longer;
};

/** Returns the place of the newest message that a request can be divided before. */
const nextStart = (messages: readonly Message[], from: number): number | undefined => {
  for (let at = messages.length - UNSETTLED; at >= from + STEP; at -= 1) {
    const message = messages[at];
    if (message?.role === 'assistant' && messages[at - 1]?.role === 'user' && says(message)) return at;
  }
  return undefined;
};

const says = ({ blocks }: Message): boolean =>
  blocks.some((block) => isToolUse(block) || (isText(block) && !isBlank(block.text)));

const begun = (given: Manifest, format: WireFormat, to: number): Beginning | undefined => {
  const sources = given.messages.slice(0, to);
  const bound = dependsOnPrefix(given, format) ? answersBeforeLastTool(given.tools, sources, format) : [];
  const part = composePart(boundTo(given, bound), format, { from: 0, to });
  const { messages, notes, ids, tools } = part;
  if (!endsWithUser(part)) return undefined;
  const manifest = { ...given, messages: [] };
  return {
    format,
    manifest,
    sources,
    parts: [messages],
    notes: [notes],
    ids: new Set(ids),
    tools: new Set(tools),
  };
};

const boundTo = (manifest: Manifest, answers: readonly MessageId[]): Manifest =>
  answers.length === 0
    ? manifest
    : { ...manifest, unreplayableReasoning: [...manifest.unreplayableReasoning, ...answers] };

const grown = (beginning: Beginning, manifest: Manifest, to: number): Beginning | undefined => {
  const { format, sources, parts, notes, ids, tools } = beginning;
  const part = composePart(manifest, format, { from: sources.length, to });
  if (!continues(beginning, part) || !endsWithUser(part)) return undefined;
  for (const id of part.ids) ids.add(id);
  for (const name of part.tools) tools.add(name);
  return {
    ...beginning,
    sources: manifest.messages.slice(0, to),
    parts: [...parts, part.messages],
    notes: [...notes, part.notes],
  };
};

const endsWithUser = ({ messages }: ComposedPart): boolean => messages.at(-1)?.role === 'user';

/** Whether a part after a beginning is the same as in the whole request, and leaves the beginning as it is. */
const continues = ({ ids, tools, manifest, format }: Beginning, part: ComposedPart): boolean => {
  if (part.ids.some((id) => ids.has(id))) return false;
  // The first call of an undeclared tool changes the tools, which precede the beginning.
  if (!dependsOnPrefix(manifest, format)) return true;
  const known = new Set([...tools, ...manifest.tools.map(declaredName)]);
  return [...part.tools].every((name) => known.has(name));
};

const isBeginning = (
  { format, sources, manifest: known }: Beginning,
  manifest: Manifest,
  wanted: WireFormat,
): boolean =>
  format === wanted &&
  sources.length + UNSETTLED <= manifest.messages.length &&
  sources.every((source, at) => source === manifest.messages[at]) &&
  known.model === manifest.model &&
  known.pinned === manifest.pinned &&
  known.record === manifest.record &&
  known.gap === manifest.gap &&
  known.wayBack === manifest.wayBack &&
  known.isAltered === manifest.isAltered &&
  isSameList(known.tools, manifest.tools) &&
  isSameList(known.edits, manifest.edits) &&
  isSameList(known.abandonedCalls, manifest.abandonedCalls) &&
  isSameList(known.droppedOutputs, manifest.droppedOutputs) &&
  isSameList(known.unreplayableReasoning, manifest.unreplayableReasoning);
