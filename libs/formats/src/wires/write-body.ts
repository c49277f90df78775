import {
  type Block,
  isReasoning,
  isToolResult,
  isToolUse,
  type Manifest,
  type Message,
  maskedResult,
  reasoningOmission,
  type WireNote,
} from '@app/domain';
import type { JsonObject, MessageId } from '@app/kernel';
import { elementRanges, memberRanges } from './raw/ranges.js';
import { spliced } from './raw/splice.js';
import type { ClientMessage, ClientRequest, Wire } from './wire.js';

/** A request as it goes to the provider. */
export type WireBody = {
  readonly body: string;
  /** Whether it is, byte for byte, what the client sent. */
  readonly isUntouched: boolean;
  readonly notes: readonly WireNote[];
};
export type Client = {
  /** As it came. */
  readonly text: string;
  readonly request: ClientRequest;
  /** The names of its messages in the session. */
  readonly ids: readonly MessageId[];
};
/** What the manifest was made of, for telling what it leaves out. */
export type Origin = {
  readonly messages: ReadonlyMap<MessageId, Message>;
  /** Whether these are all that the session ever had. */
  readonly isComplete: boolean;
};

/** What stands for a retained message: an item of the client's as it came, or one in its place. */
type Piece = { readonly at: number } | { readonly item: JsonObject };

/**
 * The client's request with the history that its session has come to. Whatever is retained unchanged goes out in the very
 * bytes in which the client sent it, as does everything that is no history; where nothing was left out, that is all of it.
 */
export const writeBody = (wire: Wire, client: Client, manifest: Manifest, origin: Origin): WireBody => {
  const { request, text } = client;
  const notes: WireNote[] = [];
  const retained = piecesOf(wire, client, manifest, origin, notes);
  const opening = openingOf(manifest);
  const isWhole =
    opening.length === 0 &&
    manifest.contributions.length === 0 &&
    !retained.isRewritten &&
    (request.continues === undefined
      ? isAll(retained.pieces, request)
      : // What the client does not have, its provider does not find behind the answer that the client names.
        origin.isComplete && ![...origin.messages.values()].some(({ clientHas }) => clientHas));
  if (isWhole) return { body: text, isUntouched: true, notes };

  const pieces = [...headOf(request), ...opened(wire, request, opening, retained.pieces)];
  if (manifest.contributions.length > 0) pieces.push(...itemsBehind(wire, request, manifest, pieces));
  const body = spliced(text, [
    { member: wire.history, json: `[${jsonOf(wire, client, pieces).join(',')}]` },
    ...(request.continues === undefined ? [] : [{ member: 'previous_response_id', json: undefined }]),
  ]);
  return { body, isUntouched: false, notes };
};

/** The history that a session has come to, in items of the API, for whoever has no request of the client's at hand. */
export const itemsOfSession = (wire: Wire, manifest: Manifest, origin: Origin): readonly JsonObject[] => {
  const nobody = { text: '', request: { ...NO_REQUEST, model: manifest.model }, ids: [] };
  const { pieces } = piecesOf(wire, nobody, manifest, origin, []);
  const all = opened(wire, NO_REQUEST, openingOf(manifest), pieces);
  return all.flatMap((piece) => ('item' in piece ? [piece.item] : []));
};
const NO_REQUEST: ClientRequest = {
  ...{ model: '', system: '', tools: [], isStream: false },
  ...{ items: [], messages: [], isManaged: false },
};

const openingOf = ({ pinned, record, gap }: Manifest): readonly string[] =>
  [pinned, record, gap].filter((part) => part !== undefined);

/** What stands before the first message: system prompts that are part of the history. */
const headOf = ({ messages, items }: ClientRequest): Piece[] =>
  items.slice(0, messages[0]?.from ?? items.length).map((_, at) => ({ at }));

const isAll = (pieces: readonly Piece[], { messages, items }: ClientRequest): boolean => {
  const first = messages[0]?.from ?? items.length;
  return (
    pieces.length === items.length - first &&
    pieces.every((piece, at) => 'at' in piece && piece.at === first + at)
  );
};

const opened = (
  wire: Wire,
  { items }: ClientRequest,
  texts: readonly string[],
  pieces: readonly Piece[],
): readonly Piece[] => {
  if (texts.length === 0) return pieces;
  const [first] = pieces;
  const item = first && ('item' in first ? first.item : items[first.at]);
  const { items: opening, tookFirst } = wire.opening(texts, item);
  return [...opening.map((one) => ({ item: one })), ...(tookFirst ? pieces.slice(1) : pieces)];
};

/** What context providers add, behind everything else; with a last message of the user's, in one. */
const itemsBehind = (
  wire: Wire,
  { items }: ClientRequest,
  { contributions }: Manifest,
  pieces: Piece[],
): readonly Piece[] => {
  const last = pieces.at(-1);
  const item = last && ('item' in last ? last.item : items[last.at]);
  if (wire.name === 'anthropic' && item?.role === 'user') {
    pieces.pop();
    const content = typeof item.content === 'string' ? [{ type: 'text', text: item.content }] : item.content;
    const texts = contributions.map((text) => ({ type: 'text', text }));
    return [{ item: { ...item, content: [...(Array.isArray(content) ? content : []), ...texts] } }];
  }
  return wire.opening(contributions, undefined).items.map((one) => ({ item: one }));
};

const jsonOf = (wire: Wire, { text, request }: Client, pieces: readonly Piece[]): readonly string[] => {
  const range = memberRanges(text).get(wire.history);
  const isList = range !== undefined && text[range.start] === '[';
  const elements = isList ? elementRanges(text, range) : [];
  return pieces.map((piece) => {
    if ('item' in piece) return JSON.stringify(piece.item);
    const element = elements[piece.at];
    return element ? text.slice(element.start, element.end) : JSON.stringify(request.items[piece.at]);
  });
};

type Pieces = { readonly pieces: readonly Piece[]; readonly isRewritten: boolean };

const piecesOf = (
  wire: Wire,
  { request, ids }: Client,
  manifest: Manifest,
  { messages: recorded }: Origin,
  notes: WireNote[],
): Pieces => {
  const places = new Map(ids.map((id, at) => [id, request.messages[at]]));
  const masked = new Masked(manifest);
  const pieces: Piece[] = [];
  let isRewritten = false;
  /** Whether the last message holds results of the gateway's, to which those of the client belong. */
  let isOpen = false;
  for (const message of manifest.messages) {
    const sent = message.clientHas === undefined ? places.get(message.id) : undefined;
    const from = pieces.length;
    const before = recorded.get(message.id);
    const isShownWhole = before !== undefined && isSame(before.blocks, message.blocks);
    // The client's own words for it, where nothing was left out of it: they may be less than what was recorded.
    const source: Message = sent && isShownWhole ? { ...message, blocks: sent.blocks } : message;
    const blocks = masked.left(withoutBound(wire, source, manifest, notes));
    if (sent && isShownWhole && isSame(blocks, sent.blocks)) pieces.push(...rangeOf(sent));
    else {
      isRewritten ||= !isShownWhole || !isSame(blocks, source.blocks);
      const changed = blocks.map((block) =>
        source.blocks.includes(block) && isShownWhole ? block : plain(block),
      );
      pieces.push(...wire.itemsOf({ role: message.role, blocks: changed }).map((item) => ({ item })));
    }
    if (wire.name === 'anthropic' && isOpen && message.role === 'user') joinResults(request, pieces, from);
    isOpen = message.role === 'user' && message.clientHas === 'nothing';
  }
  return { pieces, isRewritten };
};

/** All results of an answer stand in one message: those of the gateway's calls, and behind them the client's. */
const joinResults = ({ items }: ClientRequest, pieces: Piece[], from: number): void => {
  const [results, next] = [pieces[from - 1], pieces[from]];
  if (!results || !next || !('item' in results)) return;
  const item = 'item' in next ? next.item : items[next.at];
  const content = typeof item?.content === 'string' ? [{ type: 'text', text: item.content }] : item?.content;
  const before = results.item.content;
  if (!item || !Array.isArray(content) || !Array.isArray(before)) return;
  pieces.splice(from - 1, 2, { item: { ...item, content: [...before, ...content] } });
};

const rangeOf = ({ from, to }: ClientMessage): readonly Piece[] =>
  Array.from({ length: to - from }, (_, at) => ({ at: from + at }));

const isSame = (blocks: readonly Block[], others: readonly Block[]): boolean =>
  blocks === others || (blocks.length === others.length && blocks.every((block, at) => block === others[at]));

/** A block that is not what it was: what its provider had written says too much. */
const plain = (block: Block): Block => {
  if (block.openai === undefined) return block;
  const { openai: _, ...rest } = block;
  return rest as unknown as Block; // TypeScript knows no union without a member that none of it declares.
};

/** Without reasoning that its provider would refuse, because what stands before it has changed. */
const withoutBound = (wire: Wire, message: Message, manifest: Manifest, notes: WireNote[]): Message => {
  if (wire.name !== 'anthropic' || message.role !== 'assistant' || !message.blocks.some(isReasoning))
    return message;
  const blocks = message.blocks.filter((block) => {
    if (!isReasoning(block)) return true;
    const because = reasoningOmission(block, message, manifest, 'anthropic');
    if (because !== 'bound-to-changed-prefix') return true;
    notes.push({ did: 'left-out-reasoning', messageId: message.id, because });
    return false;
  });
  return blocks.length === message.blocks.length ? message : { ...message, blocks };
};

/** Follows calls and their results through a history, and knows of which results only a line is left. */
class Masked {
  readonly #masked: ReadonlySet<string>;
  readonly #wayBack: Manifest['wayBack'];
  readonly #callers = new Map<string, MessageId>();

  constructor({ droppedOutputs, wayBack }: Manifest) {
    this.#wayBack = wayBack;
    this.#masked = new Set(droppedOutputs.map(({ messageId, callId }) => `${messageId}/${callId}`));
  }

  /** The blocks of a message with that line in the place of such results; the very same where it has none. */
  left({ id, role, blocks }: Message): readonly Block[] {
    if (this.#masked.size === 0) return blocks;
    if (role === 'assistant')
      for (const block of blocks) if (isToolUse(block)) this.#callers.set(block.id, id);
    if (role !== 'user') return blocks;
    return blocks.map((block) => {
      if (!isToolResult(block)) return block;
      const caller = this.#callers.get(block.tool_use_id);
      return caller && this.#masked.has(`${caller}/${block.tool_use_id}`)
        ? maskedResult(block, this.#wayBack)
        : block;
    });
  }
}
