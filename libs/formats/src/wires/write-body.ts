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
import { Attached, isJsonObject, type Json, type JsonObject, type MessageId } from '@app/kernel';
import { limitOutput, type OutputLimit } from './output-length.js';
import { elementRanges, listRange, memberRanges, type Range } from './raw/ranges.js';
import { splice } from './raw/splice.js';
import { withTool } from './recall/splice-tools.js';
import type { ClientRequest, Wire } from './wire.js';

/** A request as sent to the provider. */
export type WireBody = {
  readonly body: string;
  /** Whether the body is byte-identical to the client's. */
  readonly isUntouched: boolean;
  /** Ranges of the history's items in the body, if they are the client's own with the same text between them. */
  readonly items?: readonly Range[];
  readonly notes: readonly WireNote[];
  /** The request's output limit in tokens; absent without one. */
  readonly maxOutput?: number;
};
export type Client = {
  /** The unchanged text. */
  readonly text: string;
  readonly request: ClientRequest;
  /** The names of its messages in the session. */
  readonly ids: readonly MessageId[];
  /** The ranges of the history's items in the text, if they are known. */
  readonly ranges?: readonly Range[] | undefined;
};
/** The source of the manifest, for computing omissions. */
export type Origin = {
  readonly messages: ReadonlyMap<MessageId, Message>;
  /** Whether these are all that the session ever had. */
  readonly isComplete: boolean;
};

/** A client's item: its JSON text, and its index in the request, if known. */
export type SentItem = { readonly raw: string; readonly at?: number };
/** Returns the client's item of a message; `undefined` without one. */
export type Sent = (
  id: MessageId,
) => { readonly blocks: readonly Block[]; readonly items: readonly SentItem[] } | undefined;

/** What a request gets besides its history. */
export type Additions = {
  readonly limit?: OutputLimit | undefined;
  /** A tool behind the client's own. */
  readonly tool?: JsonObject | undefined;
};

/** The form of a retained message: the client's item, or a replacement. */
export type Piece = SentItem | { readonly item: JsonObject };

/**
 * Returns the client's request with the session's current history. Unchanged messages and everything outside the
 * history keep the client's exact bytes; without omissions the whole body does. The output limit is reduced to the
 * available room, and a tool is added if one is given.
 */
export const writeBody = (
  wire: Wire,
  client: Client,
  manifest: Manifest,
  origin: Origin,
  { limit, tool }: Additions = {},
): WireBody => {
  const { request, text } = client;
  const notes: WireNote[] = [];
  const retained = piecesOf(wire, sentBy(wire, client), manifest, origin, notes);
  const opening = openingOf(manifest);
  const isWhole =
    opening.length === 0 &&
    manifest.contributions.length === 0 &&
    !retained.isRewritten &&
    (request.continues === undefined
      ? isAll(retained.pieces, request)
      : // What the client does not have, its provider does not find behind the answer that the client names.
        origin.isComplete && ![...origin.messages.values()].some(({ clientHas }) => clientHas));
  const { replacements: limits, maxOutput } = limitOutput(wire.name, request.output, limit);
  const said = { notes, ...(maxOutput !== undefined && { maxOutput }) };
  if (isWhole && limits.length === 0 && !tool) return { body: text, isUntouched: true, ...said };
  const own = itemRanges(wire, client);
  const known = listRange(text, own);
  const replacements = [...limits, ...(tool ? [withTool(text, tool, known)] : [])];
  if (isWhole) {
    const { text: body, placeOf } = splice(text, replacements, known);
    const items = placeOf && own.map(({ start, end }) => ({ start: placeOf(start), end: placeOf(end) }));
    return { body, isUntouched: false, ...(items && { items }), ...said };
  }

  const pieces = [...headOf(wire, client), ...framed(wire, manifest, retained.pieces)];
  const all = [
    { member: wire.history, json: `[${pieces.map(jsonOf).join(',')}]` },
    ...(request.continues === undefined ? [] : [{ member: 'previous_response_id', json: undefined }]),
    ...replacements,
  ];
  return { body: splice(text, all, known).text, isUntouched: false, ...said };
};

/** Returns the history of a session as items of the API, without a client's request. */
export const itemsOfSession = (wire: Wire, manifest: Manifest, origin: Origin): readonly JsonObject[] => {
  const { pieces } = piecesOf(wire, () => undefined, manifest, origin, []);
  return opened(wire, openingOf(manifest), pieces).map(itemOf);
};

/** Returns the pieces of a request's history from its first message on, from the client's items. */
export const bodyOfPieces = (
  wire: Wire,
  sent: Sent,
  manifest: Manifest,
  origin: Origin,
): { readonly pieces: readonly Piece[]; readonly notes: readonly WireNote[] } => {
  const notes: WireNote[] = [];
  const { pieces } = piecesOf(wire, sent, manifest, origin, notes);
  return { pieces: framed(wire, manifest, pieces), notes };
};

const openingOf = ({ pinned, record, gap }: Manifest): readonly string[] =>
  [pinned, record, gap].filter((part) => part !== undefined);

/** Returns the items before the first message: system prompts inside the history. */
const headOf = (wire: Wire, client: Client): readonly Piece[] => {
  const { messages, items } = client.request;
  const rawAt = rawsOf(wire, client);
  return items.slice(0, messages[0]?.from ?? items.length).map((_, at) => ({ raw: rawAt(at), at }));
};

/** Whether pieces are all items of a request's history from its first message on. */
export const isAll = (pieces: readonly Piece[], { messages, items }: ClientRequest): boolean => {
  const first = messages[0]?.from ?? items.length;
  return (
    pieces.length === items.length - first &&
    pieces.every((piece, at) => 'at' in piece && piece.at === first + at)
  );
};

/** Returns messages with the items before and after them. */
const framed = (wire: Wire, manifest: Manifest, pieces: readonly Piece[]): readonly Piece[] => {
  const all = [...opened(wire, openingOf(manifest), pieces)];
  if (manifest.contributions.length > 0) all.push(...itemsBehind(wire, manifest, all));
  return all;
};

const opened = (wire: Wire, texts: readonly string[], pieces: readonly Piece[]): readonly Piece[] => {
  if (texts.length === 0) return pieces;
  const [first] = pieces;
  const { items: opening, tookFirst } = wire.opening(texts, first && itemOf(first));
  return [...opening.map((one) => ({ item: one })), ...(tookFirst ? pieces.slice(1) : pieces)];
};

/** Returns contributions at the end, merged with a final user message. */
const itemsBehind = (wire: Wire, { contributions }: Manifest, pieces: Piece[]): readonly Piece[] => {
  const last = pieces.at(-1);
  const item = last && itemOf(last);
  if (wire.name === 'anthropic' && item?.role === 'user') {
    pieces.pop();
    const content = typeof item.content === 'string' ? [{ type: 'text', text: item.content }] : item.content;
    const texts = contributions.map((text) => ({ type: 'text', text }));
    return [{ item: { ...item, content: [...(Array.isArray(content) ? content : []), ...texts] } }];
  }
  return wire.opening(contributions, undefined).items.map((one) => ({ item: one }));
};

/** Returns the ranges of a request's history items in its body; empty if the history is not a list. */
export const itemRangesIn = (wire: Wire, text: string): readonly Range[] => {
  const range = memberRanges(text).get(wire.history);
  return range !== undefined && text[range.start] === '[' ? elementRanges(text, range) : [];
};

/** Returns the ranges of a client's request, found once. */
export const itemRanges = (wire: Wire, client: Client): readonly Range[] =>
  client.ranges ?? RANGES.once(client, () => itemRangesIn(wire, client.text));
const RANGES = new Attached<Client, readonly Range[]>();

/** The JSON text of an item of a client's request, by its place. */
const rawsOf = (wire: Wire, client: Client): ((at: number) => string) => {
  const { text, request } = client;
  const elements = itemRanges(wire, client);
  return (at) => {
    const element = elements[at];
    return element ? text.slice(element.start, element.end) : JSON.stringify(request.items[at]);
  };
};

/** A client's item, whose text is cut out when it is needed. */
class ClientItem implements SentItem {
  constructor(
    readonly at: number,
    private readonly rawAt: (at: number) => string,
  ) {}

  get raw(): string {
    return this.rawAt(this.at);
  }
}

/** Returns the client's items by message, read once for each request. */
export const sentBy = (wire: Wire, client: Client): Sent => SENT.once(client, () => newSentBy(wire, client));
const SENT = new Attached<Client, Sent>();

const newSentBy = (wire: Wire, client: Client): Sent => {
  const { ids, request } = client;
  const { messages } = request;
  const rawAt = rawsOf(wire, client);
  const places = new Map<MessageId, number>();
  for (const [at, id] of ids.entries()) places.set(id, at);
  const sent: ReturnType<Sent>[] = [];
  return (id) => {
    const at = places.get(id);
    const message = at === undefined ? undefined : messages[at];
    if (at === undefined || !message) return undefined;
    sent[at] ??= {
      blocks: message.blocks,
      items: Array.from(
        { length: message.to - message.from },
        (_, item) => new ClientItem(message.from + item, rawAt),
      ),
    };
    return sent[at];
  };
};

export const jsonOf = (piece: Piece): string => ('item' in piece ? JSON.stringify(piece.item) : piece.raw);

const itemOf = (piece: Piece): JsonObject => {
  if ('item' in piece) return piece.item;
  const item: Json = JSON.parse(piece.raw);
  return isJsonObject(item) ? item : {};
};

type Pieces = { readonly pieces: readonly Piece[]; readonly isRewritten: boolean };

const piecesOf = (
  wire: Wire,
  sentOf: Sent,
  manifest: Manifest,
  { messages: recorded }: Origin,
  notes: WireNote[],
): Pieces => {
  const masked = new Masked(manifest);
  const pieces: Piece[] = [];
  let isRewritten = false;
  /** Whether the last message has results of the gateway, which the client's results join. */
  let isOpen = false;
  for (const message of manifest.messages) {
    const sent = message.clientHas === undefined ? sentOf(message.id) : undefined;
    const from = pieces.length;
    const before = recorded.get(message.id);
    const isShownWhole = before !== undefined && isSame(before.blocks, message.blocks);
    // The client's own form, if nothing was omitted: it may contain less than the record.
    const source: Message = sent && isShownWhole ? { ...message, blocks: sent.blocks } : message;
    const blocks = masked.left(withoutBound(wire, source, manifest, notes));
    if (sent && isShownWhole && isSame(blocks, sent.blocks)) pieces.push(...sent.items);
    else {
      isRewritten ||= !isShownWhole || !isSame(blocks, source.blocks);
      const original = new Set(isShownWhole ? source.blocks : []);
      const changed = blocks.map((block) => (original.has(block) ? block : plain(block)));
      pieces.push(...wire.itemsOf({ role: message.role, blocks: changed }).map((item) => ({ item })));
    }
    if (wire.name === 'anthropic' && isOpen && message.role === 'user') joinResults(pieces, from);
    isOpen = message.role === 'user' && message.clientHas === 'nothing';
  }
  return { pieces, isRewritten };
};

/** Joins all results of an answer in one message: the gateway's, then the client's. */
const joinResults = (pieces: Piece[], from: number): void => {
  const [results, next] = [pieces[from - 1], pieces[from]];
  if (!results || !next || !('item' in results)) return;
  const item = itemOf(next);
  const content = typeof item.content === 'string' ? [{ type: 'text', text: item.content }] : item.content;
  const before = results.item.content;
  if (!Array.isArray(content) || !Array.isArray(before)) return;
  pieces.splice(from - 1, 2, { item: { ...item, content: [...before, ...content] } });
};

const isSame = (blocks: readonly Block[], others: readonly Block[]): boolean =>
  blocks === others || (blocks.length === others.length && blocks.every((block, at) => block === others[at]));

/** Returns a changed block without its provider form, which would contradict it. */
const plain = (block: Block): Block => {
  if (block.openai === undefined) return block;
  const { openai: _, ...rest } = block;
  return rest as unknown as Block; // TypeScript knows no union without a member that none of it declares.
};

/** Omits reasoning that its provider would reject, because its prefix has changed. */
const withoutBound = (wire: Wire, message: Message, manifest: Manifest, notes: WireNote[]): Message => {
  if (wire.name !== 'anthropic' || message.role !== 'assistant' || !message.blocks.some(isReasoning))
    return message;
  const blocks = message.blocks.filter((block) => {
    if (!isReasoning(block)) return true;
    const reason = reasoningOmission(block, message, manifest, 'anthropic');
    if (reason !== 'bound-to-changed-prefix') return true;
    notes.push({ action: 'omitted-reasoning', messageId: message.id, reason });
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

  /** Returns the blocks of a message with placeholders for such results; the same array without any. */
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
