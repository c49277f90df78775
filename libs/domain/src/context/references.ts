import { Attached, isSameList, type MessageId } from '@app/kernel';
import {
  type Block,
  isToolResult,
  isToolUse,
  type Message,
  type Role,
  type ToolUseBlock,
} from '../message/index.js';
import type { WireMessage } from '../message/wire.js';
import type { OpenSession } from '../session/state.js';
import { type AnthropicRequest, anthropicMessagesOf, contentOf } from './anthropic/anthropic-request.js';
import type { AnthropicMessage } from './anthropic/cache-marks.js';
import type { ComposedRequest } from './compose.js';
import { recordedForm } from './wire/renamed.js';

/** Blocks of a recorded message, by index, all of them by default; or blocks that the session does not hold in this form. */
type ReferencePart =
  | { readonly message: MessageId; readonly blocks?: readonly number[] }
  | { readonly content: readonly Block[] };
/** A message of the session as it is, by its ID, or one in parts. */
export type ReferencedMessage = MessageId | { readonly role: Role; readonly parts: readonly ReferencePart[] };

/**
 * Returns the history of a request in Anthropic's form as references to the messages of its session. System messages before the
 * first turn come first. Blocks are written out if they were changed or erased, or if the service wrote them. Cache marks of
 * referenced blocks are not considered, and calls keep the IDs and names that callers gave them, unless two have the same ID.
 *
 * @param session the session that the request was composed from.
 */
export const referencesIn = (
  { messages }: Pick<AnthropicRequest, 'messages'>,
  parts: ComposedRequest['parts'],
  session: OpenSession,
): readonly ReferencedMessage[] => {
  const places = new Places(session);
  const leading = session.leadingSystem.map(
    ({ message: { role, id, blocks }, message }): ReferencedMessage =>
      isOfCaller(message) ? id : { role, parts: [{ content: blocks }] },
  );
  let from = 0;
  const history = parts.flatMap((part): readonly ReferencedMessage[] => {
    const wanted = anthropicMessagesOf(part);
    const given = messages.slice(from, from + wanted.length);
    from += wanted.length;
    const isWanted = isSameList(given, wanted);
    const known = isWanted ? REFERENCES.get(part) : undefined;
    if (known) {
      places.last = known.last;
      return known.references;
    }
    // Parts have no ID of a call in common.
    const ids = givenIds(part);
    const references = given.map((message, at) => referenceTo(message, part[at], places, ids));
    if (isWanted) REFERENCES.set(part, { references, last: places.last });
    return references;
  });
  return [...leading, ...history];
};

/** References of the parts of requests, and the place after which the next part is looked for. */
const REFERENCES = new Attached<
  ComposedRequest['parts'][number],
  { readonly references: readonly ReferencedMessage[]; readonly last: Found | undefined }
>();

const referenceTo = (
  { role, content }: AnthropicMessage,
  spoken: WireMessage | undefined,
  places: Places,
  ids: GivenIds,
): ReferencedMessage => {
  const originals = blocksOf(spoken);
  const whole = content === originals && ids === NONE ? places.next(originals) : undefined;
  if (whole?.role === role) return whole.id;
  const parts: Part[] = [];
  for (const [index, block] of content.entries()) {
    const original = originals[index];
    const isSent = original !== undefined && original.type === block.type && original.text === block.text;
    const id = ids.get(callIdIn(block) ?? '');
    const place = isSent ? places.of(id === undefined ? original : recordedForm(original)) : undefined;
    add(parts, place || id === undefined ? block : withCallId(block, id), place);
  }
  return writtenMessage(role, parts);
};

type Place = { readonly message: Message; readonly block: number };
type Part = { readonly message: Message; readonly blocks: number[] } | { readonly content: Block[] };

type Found = { readonly entry: number; readonly place: Place };

/** The places of the blocks that callers have appended, by identity. Most blocks follow the one that was asked for before them. */
class Places {
  last: Found | undefined;
  private all: ReadonlyMap<Block, Found> | undefined;

  constructor(private readonly session: OpenSession) {}

  of(block: Block): Place | undefined {
    const { entry, place } = this.last ?? BEFORE_FIRST;
    const found =
      this.at(entry, place.block + 1, block) ?? this.at(entry + 1, 0, block) ?? this.search(block);
    if (found) this.last = found;
    return found?.place;
  }

  /** Returns the message after the last found block, if these are its blocks. */
  next(blocks: readonly Block[]): Message | undefined {
    const entry = (this.last ?? BEFORE_FIRST).entry + 1;
    const message = this.session.entries[entry]?.message;
    if (!message || !isOfCaller(message) || !isSameList(message.blocks, blocks)) return undefined;
    this.last = { entry, place: { message, block: blocks.length - 1 } };
    return message;
  }

  private at(entry: number, block: number, wanted: Block): Found | undefined {
    const message = this.session.entries[entry]?.message;
    if (!message || message.blocks[block] !== wanted || !isOfCaller(message)) return undefined;
    return { entry, place: { message, block } };
  }

  private search(wanted: Block): Found | undefined {
    this.all ??= new Map(
      this.session.entries.flatMap(({ message }, entry) =>
        isOfCaller(message)
          ? message.blocks.map((one, block): [Block, Found] => [one, { entry, place: { message, block } }])
          : [],
      ),
    );
    return this.all.get(wanted);
  }
}
const BEFORE_FIRST = { entry: -1, place: { block: 0 } };

/** IDs of calls as callers gave them, by the IDs that the provider gets in their place. */
type GivenIds = ReadonlyMap<string, string>;

/** Returns the IDs of renamed calls that belong to one call alone. */
const givenIds = (spoken: readonly WireMessage[]): GivenIds => {
  const isRenamed = (block: Block): boolean => isToolUse(block) && recordedForm(block) !== block;
  if (!spoken.some((message) => message.role === 'assistant' && message.blocks.some(isRenamed))) return NONE;
  const calls = spoken
    .flatMap((message) => (message.role === 'assistant' ? message.blocks : []))
    .filter(isToolUse);
  const times = new Map<string, number>();
  for (const call of calls) {
    const id = recordedId(call);
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return new Map(
    calls
      .filter(isRenamed)
      .map((call) => [call.id, recordedId(call)] as const)
      .filter(([, id]) => times.get(id) === 1),
  );
};
const NONE: GivenIds = new Map();

const recordedId = (call: ToolUseBlock): string => {
  const recorded = recordedForm(call);
  return isToolUse(recorded) ? recorded.id : call.id;
};

const callIdIn = (block: Block): string | undefined => {
  if (isToolUse(block)) return block.id;
  return isToolResult(block) ? block.tool_use_id : undefined;
};

const withCallId = (block: Block, id: string): Block =>
  isToolUse(block) ? { ...block, id } : { ...block, tool_use_id: id };

/** Whether callers have the content of a message: an erased one is no longer sent in any form. */
const isOfCaller = ({ synthetic, erased }: Message): boolean => !synthetic && !erased;

const blocksOf = (message: WireMessage | undefined): readonly Block[] => {
  if (!message || message.role === 'system') return [];
  return message.role === 'assistant' ? message.blocks : contentOf(message);
};

/** Adds a block, to the last part if it continues that. */
const add = (parts: Part[], block: Block, place: Place | undefined): void => {
  const last = parts.at(-1);
  if (!place) {
    if (last && 'content' in last) last.content.push(block);
    else parts.push({ content: [block] });
    return;
  }
  const { message, block: index } = place;
  if (last && 'message' in last && last.message === message && (last.blocks.at(-1) ?? 0) < index)
    last.blocks.push(index);
  else parts.push({ message, blocks: [index] });
};

const writtenMessage = (role: Role, parts: readonly Part[]): ReferencedMessage => {
  const [part, ...others] = parts;
  const isAsItIs = part && 'message' in part && part.message.role === role && isWhole(part);
  return isAsItIs && others.length === 0 ? part.message.id : { role, parts: parts.map(written) };
};

type OfMessage = Extract<Part, { readonly message: Message }>;
const isWhole = ({ message, blocks }: OfMessage): boolean => blocks.length === message.blocks.length;

const written = (part: Part): ReferencePart => {
  if ('content' in part) return part;
  const { message, blocks } = part;
  return { message: message.id, ...(!isWhole(part) && { blocks }) };
};
