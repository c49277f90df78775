import type { Block, ClientForm, Manifest, Message, MessageForm, WireNote } from '@app/domain';
import { isJsonObject, isSameList, type Json, type JsonObject, type MessageId } from '@app/kernel';
import { stringEnd } from './raw/ranges.js';
import type { Wire } from './wire.js';
import {
  bodyOfPieces,
  type Client,
  isAll,
  itemRanges,
  itemRangesIn,
  jsonOf,
  type Origin,
  type Piece,
  type Sent,
  type SentItem,
  sentBy,
  type WireBody,
} from './write-body.js';

/** A form with the notes of its body; without notes if the body cannot be rebuilt. */
export type WrittenForm = { readonly form: ClientForm; readonly notes: readonly WireNote[] | undefined };

/**
 * Returns how a client writes its requests, so that {@link bodyOfForm} gives the very body that `made` is: `made` has been
 * written from `client` and a manifest of the session whose messages `origin` holds. Forms that are in force and still
 * hold stay as they are. Where the body cannot be put together again, the form has it as a whole.
 */
export const clientFormOf = (
  wire: Wire,
  client: Client,
  manifest: Manifest,
  origin: Origin,
  made: Pick<WireBody, 'body' | 'items'>,
  known: ClientForm | undefined,
): WrittenForm => {
  const frame = frameOf(wire, client, made);
  const { forms, verified } = formsOf(wire, client, origin, known?.forms ?? NO_FORMS);
  const form = frame && { format: wire.name, ...frame, forms, literal: undefined };
  const sentByForm = form && sentIn(wire, form, origin);
  const written = sentByForm && bodyOfPieces(wire, (id) => verified(id) ?? sentByForm(id), manifest, origin);
  if (
    form &&
    written &&
    (isWhole(client, made, written.pieces) || textOf(form, written.pieces) === made.body)
  )
    return { form, notes: written.notes };
  const { before = '', separator = '', after = '' } = frame ?? known ?? {};
  const whole = { format: wire.name, before, separator, after, forms, literal: made.body };
  return { form: whole, notes: written?.notes };
};

/** Returns the body of a client's request with the session's history, rebuilt from recorded data. */
export const bodyOfForm = (
  wire: Wire,
  form: ClientForm,
  manifest: Manifest,
  origin: Origin,
): Pick<WireBody, 'body' | 'notes'> => {
  const { pieces, notes } = bodyOfPieces(wire, sentIn(wire, form, origin), manifest, origin);
  return { body: form.literal ?? textOf(form, pieces), notes };
};

type Frame = Pick<ClientForm, 'before' | 'separator' | 'after'>;
const textOf = ({ before, separator, after }: Frame, pieces: readonly Piece[]): string =>
  before + pieces.map(jsonOf).join(separator) + after;
/** Whether a body has the client's own history, and the pieces are all items of it. */
const isWhole = (
  { text, request }: Client,
  { body, items }: Pick<WireBody, 'body' | 'items'>,
  pieces: readonly Piece[],
): boolean => (items !== undefined || body === text) && isAll(pieces, request);
const NO_FORMS: ReadonlyMap<MessageId, MessageForm> = new Map();

/** Returns the body around the messages; `undefined` if the history is not a list, or is split. */
const frameOf = (
  wire: Wire,
  client: Client,
  { body, items: own }: Pick<WireBody, 'body' | 'items'>,
): Frame | undefined => {
  const { request, text } = client;
  const head = request.messages[0]?.from ?? request.items.length;
  const all = own ?? (body === text ? itemRanges(wire, client) : itemRangesIn(wire, body));
  const items = all.slice(head);
  const [start, end] = [items[0]?.start, items.at(-1)?.end];
  if (start === undefined || end === undefined) return undefined;
  const apart = new Set(items.slice(1).map((item, at) => body.slice(items[at]?.end ?? 0, item.start)));
  if (apart.size > 1) return undefined;
  return {
    before: copied(body.slice(0, start)),
    separator: copied([...apart][0] ?? ','),
    after: copied(body.slice(end)),
  };
};

/**
 * Returns the forms of messages whose client form differs from this engine's, and with `verified` the client's items of messages
 * whose record is known to give the same texts.
 */
const formsOf = (
  wire: Wire,
  client: Client,
  { messages }: Origin,
  known: ReadonlyMap<MessageId, MessageForm>,
): { readonly forms: ReadonlyMap<MessageId, MessageForm>; readonly verified: Sent } => {
  const sentOf = sentBy(wire, client);
  const forms = new Map<MessageId, MessageForm>();
  const verified = new Map<MessageId, ReturnType<Sent>>();
  for (const message of messages.values()) {
    const sent = sentOf(message.id);
    if (!sent) continue;
    const first = sent.items[0]?.at ?? 0;
    const items = client.request.items.slice(first, first + sent.items.length);
    const before = known.get(message.id);
    const isVerified = isVerifiedFor(items, message, before);
    const raws = isVerified ? [] : sent.items.map(({ raw }) => raw);
    const isOwn = isVerified ? before === undefined : isSameList(ownForm(wire, message), raws);
    const strings = isVerified || isOwn ? [] : stringsIn(message.blocks);
    const holds = isVerified || isOwn || (before && isSameList(written(before, strings), raws));
    const form = isOwn ? undefined : holds ? before : raws.map((raw) => folded(raw, strings));
    const isSame = holds || (form && isSameList(written(form, strings), raws));
    if (form) forms.set(message.id, form);
    if (!isSame) continue;
    verified.set(message.id, isOwn ? { ...sent, blocks: message.blocks } : sent);
    if (items[0] && !isVerified) VERIFIED.set(items[0], { items, message, form });
  }
  return { forms, verified: (id) => verified.get(id) };
};

/**
 * The record of a message that has been compared with a client's items, by the first of them. Items are the same objects only if
 * their texts are the same.
 */
const VERIFIED = new WeakMap<
  JsonObject,
  {
    readonly items: readonly JsonObject[];
    readonly message: Message;
    readonly form: MessageForm | undefined;
  }
>();

const isVerifiedFor = (
  items: readonly JsonObject[],
  message: Message,
  form: MessageForm | undefined,
): boolean => {
  const found = items[0] && VERIFIED.get(items[0]);
  return found?.message === message && found.form === form && isSameList(found.items, items);
};

const ownForm = (wire: Wire, message: Message): readonly string[] =>
  wire.itemsOf(message).map((item) => JSON.stringify(item));

/** Returns the client's form of the messages; messages without one are composed by this engine. */
const sentIn =
  (wire: Wire, { forms }: ClientForm, { messages }: Origin): Sent =>
  (id) => {
    const form = forms.get(id);
    const message = messages.get(id);
    if (!form || !message) return undefined;
    const items: readonly SentItem[] = written(form, stringsIn(message.blocks)).map((raw) => ({ raw }));
    return { items, blocks: blocksIn(wire, message, items) };
  };

/** Returns the blocks of items: the recorded ones if their content is equal. */
const blocksIn = (wire: Wire, message: Message, items: readonly SentItem[]): readonly Block[] => {
  const given: readonly Json[] = items.map(({ raw }): Json => JSON.parse(raw));
  const objects: readonly JsonObject[] = given.filter(isJsonObject);
  // Behind a message of the user's, so that no system message is taken for the session's prompt.
  const read = wire.read({ model: '-', [wire.history]: [{ role: 'user', content: '-' }, ...objects] });
  if ('status' in read) return message.blocks;
  return read.messages.slice(1).flatMap(({ blocks }) => blocks);
};

/** Shorter strings stay inline in a form. In UTF-16 units. */
const WORTH_FOLDING = 24;

/** Returns the long strings of recorded content, each once, in order. */
const stringsIn = (value: Json | readonly Block[]): readonly string[] => {
  const found = new Set<string>();
  const visit = (one: Json | readonly Block[]): void => {
    if (typeof one === 'string') {
      if (one.length >= WORTH_FOLDING) found.add(one);
    } else if (Array.isArray(one)) for (const item of one) visit(item);
    else if (isJsonObject(one)) for (const item of Object.values(one)) if (item !== undefined) visit(item);
  };
  visit(value);
  return [...found];
};

/** A JSON text with the strings that are known replaced by their places. */
const folded = (raw: string, strings: readonly string[]): readonly (string | number)[] => {
  const places = new Map(strings.map((text, at) => [text, at]));
  const parts: (string | number)[] = [];
  let from = 0;
  for (let at = raw.indexOf('"'); at >= 0; ) {
    const end = stringEnd(raw, at);
    const literal = raw.slice(at, end);
    const place = literal.length > WORTH_FOLDING ? placeOf(literal, places, strings) : undefined;
    if (place !== undefined) {
      if (at > from) parts.push(copied(raw.slice(from, at)));
      parts.push(place);
      from = end;
    }
    at = raw.indexOf('"', end);
  }
  if (from < raw.length) parts.push(copied(raw.slice(from)));
  return parts;
};

/** Returns a text of its own: a part that was cut out of a body would keep the whole body in memory as long as its form. */
const copied = (part: string): string => String(JSON.parse(JSON.stringify(part)));

const placeOf = (
  literal: string,
  places: ReadonlyMap<string, number>,
  strings: readonly string[],
): number | undefined => {
  const place = places.get(String(JSON.parse(literal)));
  if (place === undefined) return undefined;
  const text = strings[place] ?? '';
  if (literal === JSON.stringify(text)) return place;
  return literal === inAscii(text) ? -1 - place : undefined;
};

/** Returns the JSON texts of a form. */
const written = (form: MessageForm, strings: readonly string[]): readonly string[] =>
  form.map((parts) =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part;
        return part >= 0 ? JSON.stringify(strings[part] ?? '') : inAscii(strings[-1 - part] ?? '');
      })
      .join(''),
  );

/** A string as JSON with everything but ASCII escaped, as some clients write it. */
const inAscii = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
