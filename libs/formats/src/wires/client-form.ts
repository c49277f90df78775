import type { Block, ClientForm, Manifest, Message, MessageForm, WireNote } from '@app/domain';
import { isJsonObject, type Json, type JsonObject, type MessageId } from '@app/kernel';
import { stringEnd } from './raw/ranges.js';
import type { Wire } from './wire.js';
import {
  bodyOfPieces,
  type Client,
  itemRangesIn,
  type Origin,
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
  made: Pick<WireBody, 'body'>,
  known: ClientForm | undefined,
): WrittenForm => {
  const frame = frameOf(wire, client, made.body);
  const forms = formsOf(wire, client, origin, known?.forms ?? NO_FORMS);
  const form = frame && { format: wire.name, ...frame, forms, literal: undefined };
  const written = form && bodyOfForm(wire, form, manifest, origin);
  if (form && written?.body === made.body) return { form, notes: written.notes };
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
  const { literal, before, separator, after } = form;
  return { body: literal ?? before + pieces.join(separator) + after, notes };
};

type Frame = Pick<ClientForm, 'before' | 'separator' | 'after'>;
const NO_FORMS: ReadonlyMap<MessageId, MessageForm> = new Map();

/** Returns the body around the messages; `undefined` if the history is not a list, or is split. */
const frameOf = (wire: Wire, { request }: Client, body: string): Frame | undefined => {
  const head = request.messages[0]?.from ?? request.items.length;
  const items = itemRangesIn(wire, body).slice(head);
  const [start, end] = [items[0]?.start, items.at(-1)?.end];
  if (start === undefined || end === undefined) return undefined;
  const apart = new Set(items.slice(1).map((item, at) => body.slice(items[at]?.end ?? 0, item.start)));
  if (apart.size > 1) return undefined;
  return { before: body.slice(0, start), separator: [...apart][0] ?? ',', after: body.slice(end) };
};

/** Returns the forms of messages whose client form differs from this engine's. */
const formsOf = (
  wire: Wire,
  client: Client,
  { messages }: Origin,
  known: ReadonlyMap<MessageId, MessageForm>,
): ReadonlyMap<MessageId, MessageForm> => {
  const sentOf = sentBy(wire, client);
  const forms = new Map<MessageId, MessageForm>();
  for (const message of messages.values()) {
    const raws = sentOf(message.id)?.items.map(({ raw }) => raw);
    if (!raws) continue;
    const own = ownForm(wire, message);
    if (own.length === raws.length && own.every((item, at) => item === raws[at])) continue;
    const strings = stringsIn(message.blocks);
    const before = known.get(message.id);
    const isSame = before && isSameList(written(before, strings), raws);
    forms.set(message.id, isSame ? before : raws.map((raw) => folded(raw, strings)));
  }
  return forms;
};

const ownForm = (wire: Wire, message: Message): readonly string[] =>
  wire.itemsOf(message).map((item) => JSON.stringify(item));

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

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
      if (at > from) parts.push(raw.slice(from, at));
      parts.push(place);
      from = end;
    }
    at = raw.indexOf('"', end);
  }
  if (from < raw.length) parts.push(raw.slice(from));
  return parts;
};

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
