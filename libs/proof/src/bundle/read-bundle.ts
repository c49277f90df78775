import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import type { Digest } from '../commitments.js';
import type { SealedEvent } from '../leaf.js';
import type { YieldToLoop } from '../yield.js';
import {
  BUNDLE_FORM,
  type Bundle,
  type BundledContent,
  type BundledEvent,
  type InclusionSection,
  type LogSection,
  type Manifest,
  type Receipt,
  signatureLine,
} from './bundle.js';

/** A file that is no bundle, or a line that is not as its form says. */
export class MalformedBundle extends Error {
  override readonly name = 'MalformedBundle';
}
/** A file that ends before its first event: nothing in it can be checked. */
export class CutBundle extends Error {
  override readonly name = 'CutBundle';
}

const malformed = (line: number, problem: string): MalformedBundle =>
  new MalformedBundle(`line ${line} ${problem}`);

/**
 * Reads a bundle. A file whose end is missing is read up to its last whole line; nothing may be behind the signature.
 *
 * @throws {MalformedBundle} with the line. @throws {CutBundle}.
 */
export const readBundle = async (bytes: Uint8Array, yieldToLoop?: YieldToLoop): Promise<Bundle> => {
  const { lines, end } = await linesOf(bytes, yieldToLoop);
  const manifest = manifestIn(lines[0]);
  const [, log, inclusion] = lines;
  if (!log || !inclusion) throw new CutBundle('the file ends before the first event');
  const reader = new EventReader();
  let signature: string | undefined;
  let signed = bytes.length;
  for (const { text, number, from } of lines.slice(3)) {
    await yieldToLoop?.();
    if (signature !== undefined) throw malformed(number, 'is behind the signature');
    if (!text.startsWith('{"signature":')) reader.read(text, number);
    else {
      signature = stringIn(objectIn(text, number), 'signature', number);
      // The signature covers all lines but its own.
      if (`${text}\n` !== signatureLine(signature)) throw malformed(number, 'is more than a signature');
      signed = from;
    }
  }
  if (signature !== undefined && end < bytes.length)
    throw malformed(lines.length + 1, 'is behind the signature');
  return {
    manifest,
    log: logSection(log),
    inclusion: inclusionSection(inclusion),
    ...reader.all(),
    signature,
    digest: await digestOf(bytes.subarray(0, signed), yieldToLoop),
  };
};

type Line = { readonly text: string; readonly number: number; readonly from: number };

/** Returns the whole lines, and the place behind the last one. @throws {MalformedBundle} for bytes that are no UTF-8. */
const linesOf = async (
  bytes: Uint8Array,
  yieldToLoop?: YieldToLoop,
): Promise<{ readonly lines: readonly Line[]; readonly end: number }> => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const lines: Line[] = [];
  for (let from = 0; ; ) {
    const end = bytes.indexOf(NEWLINE, from);
    if (end < 0) return { lines, end: from };
    const number = lines.length + 1;
    try {
      lines.push({ text: decoder.decode(bytes.subarray(from, end)), number, from });
    } catch {
      throw malformed(number, 'is no UTF-8');
    }
    from = end + 1;
    await yieldToLoop?.();
  }
};
const NEWLINE = 0x0a;

/** Bytes that are hashed without yielding to others: about a millisecond. */
const HASHED_AT_ONCE = 1_048_576;

const digestOf = async (bytes: Uint8Array, yieldToLoop?: YieldToLoop): Promise<Digest> => {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(from, from + HASHED_AT_ONCE));
    await yieldToLoop?.();
  }
  return hash.digest('base64');
};

class EventReader {
  readonly #events: BundledEvent[] = [];
  readonly #receipts: Receipt[] = [];
  readonly #blobs = new Map<string, string>();
  /** Key of the last content in clear. */
  #key: string | undefined;

  read(text: string, line: number): void {
    if (text.startsWith('{"id":'))
      this.#events.push({ line, text, event: eventIn(text, line), contents: [] });
    else if (text.startsWith('{"receipt":')) this.#receipts.push(receiptIn(text, line));
    else if (text.startsWith('{"blob":')) {
      const blob = objectIn(text, line);
      this.#blobs.set(stringIn(blob, 'blob', line), stringIn(blob, 'text', line));
    } else this.#content(contentIn(text, line, this.#key), line);
  }

  #content(content: BundledContent, line: number): void {
    const last = this.#events.pop();
    if (content.kind === 'clear') this.#key = content.key;
    if (!last) throw malformed(line, 'is content without its event');
    this.#events.push({ ...last, contents: [...last.contents, content] });
  }

  all(): Pick<Bundle, 'events' | 'receipts' | 'blobs'> {
    return { events: this.#events, receipts: this.#receipts, blobs: this.#blobs };
  }
}

const CLEAR =
  /^\{(?:"key":"([A-Za-z0-9_~-]{1,4096})",)?(?:"digest":"([A-Za-z0-9+/]{43}=)",)?"content":(.*)\}$/s;

const contentIn = (text: string, line: number, keyBefore: string | undefined): BundledContent => {
  const [, named, sealed, member] = CLEAR.exec(text) ?? [];
  const clear = text.startsWith('[') ? text : member;
  if (clear !== undefined) {
    const key = named ?? keyBefore;
    if (key === undefined) throw malformed(line, 'has content without a key');
    if (!Array.isArray(jsonIn(clear, line))) throw malformed(line, 'has content that is no list');
    return { kind: 'clear', key, text: clear, ...(sealed !== undefined && { sealed }) };
  }
  if (!text.startsWith('{"sealed":'))
    throw malformed(line, 'is no event, content, blob, receipt or signature');
  return { kind: 'sealed', text: stringIn(objectIn(text, line), 'sealed', line) };
};

const eventIn = (text: string, line: number): SealedEvent => {
  const given = objectIn(text, line);
  return {
    id: stringIn(given, 'id', line),
    revision: countIn(given, 'revision', line),
    type: stringIn(given, 'type', line),
    data: memberIn(given, 'data', line),
    metadata: memberIn(given, 'metadata', line),
  };
};

const receiptIn = (text: string, line: number): Receipt => {
  const given = memberIn(objectIn(text, line), 'receipt', line);
  const event = stringIn(given, 'event', line);
  return {
    line,
    index: countIn(given, 'index', line),
    stream: stringIn(given, 'stream', line),
    salt: stringIn(given, 'salt', line),
    previous: given.previous === null ? null : stringIn(given, 'previous', line),
    text: event,
    event: eventIn(event, line),
  };
};

const manifestIn = (line: Line | undefined): Manifest => {
  if (!line?.text.startsWith(`{"form":"${BUNDLE_FORM}"`))
    throw malformed(1, `does not begin a proof of the form ${BUNDLE_FORM}`);
  const given = objectIn(line.text, 1);
  const events = memberIn(given, 'events', 1);
  const content = stringIn(given, 'content', 1);
  if (content !== 'clear' && content !== 'sealed') throw malformed(1, 'has content neither clear nor sealed');
  if (given.order !== 'revision') throw malformed(1, 'has no order by revision');
  return {
    form: BUNDLE_FORM,
    origin: stringIn(given, 'origin', 1),
    tenant: stringIn(given, 'tenant', 1),
    session: stringIn(given, 'session', 1),
    stream: stringIn(given, 'stream', 1),
    events: {
      first: countIn(events, 'first', 1),
      last: countIn(events, 'last', 1),
      count: countIn(events, 'count', 1),
    },
    order: 'revision',
    content,
    size: countIn(given, 'size', 1),
    engine: stringIn(given, 'engine', 1),
    exportedAt: stringIn(given, 'exportedAt', 1),
    profile: stringIn(given, 'profile', 1),
    prompts: stringsIn(given, 'prompts', 1),
    notProven: stringsIn(given, 'notProven', 1),
  };
};

const logSection = ({ text, number }: Line): LogSection => {
  const given = objectIn(text, number);
  const salts = Object.entries(memberIn(given, 'contentSalts', number));
  const since = ownMember(given, 'since') === undefined ? undefined : memberIn(given, 'since', number);
  return {
    ...(since && {
      since: { size: countIn(since, 'size', number), proof: stringsIn(since, 'proof', number) },
    }),
    checkpoint: stringIn(given, 'checkpoint', number),
    heads: objectsIn(given, 'heads', number).map((head) => ({
      checkpoint: stringIn(head, 'checkpoint', number),
      proof: stringsIn(head, 'proof', number),
    })),
    entries: objectsIn(given, 'entries', number).map((entry) => ({
      index: countIn(entry, 'index', number),
      text: stringIn(entry, 'text', number),
    })),
    salt: stringIn(given, 'salt', number),
    contentSalts: Object.fromEntries(
      salts.map(([key, salt]) => {
        if (typeof salt !== 'string') throw malformed(number, 'has a salt that is no text');
        return [key, salt];
      }),
    ),
  };
};

const COMMITMENT = /^(?:-|[A-Za-z0-9+/]{43}=)$/;

const inclusionSection = ({ text, number }: Line): InclusionSection => {
  const given = objectIn(text, number);
  const index = countIn(given, 'index', number);
  const siblings = stringsIn(given, 'siblings', number);
  if (ownMember(given, 'sealed') === undefined) return { index, siblings };
  const sealed = stringIn(given, 'sealed', number);
  if (!COMMITMENT.test(sealed)) throw malformed(number, 'has a commitment that is none');
  return { index, siblings, sealed };
};

/** Maximum depth of nested lists and objects: above the service's limit, and below any JSON parser's. */
const DEPTH_MAX = 600;

/** Whether JSON is nested at most {@link DEPTH_MAX} deep. Without recursion, and before it is parsed. */
const isShallow = (text: string): boolean => {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length && depth <= DEPTH_MAX; at += 1) {
    const character = text[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && (character === '[' || character === '{')) depth += 1;
    else if (!isInString && (character === ']' || character === '}')) depth -= 1;
  }
  return depth <= DEPTH_MAX;
};

const jsonIn = (text: string, line: number): Json => {
  if (!isShallow(text)) throw malformed(line, `is nested deeper than ${DEPTH_MAX} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(line, 'is no JSON');
  }
};
const objectIn = (text: string, line: number): JsonObject => {
  const value = jsonIn(text, line);
  if (!isJsonObject(value)) throw malformed(line, 'is no object');
  return value;
};
const stringIn = (given: JsonObject, name: string, line: number): string => {
  const value = ownMember(given, name);
  if (typeof value !== 'string') throw malformed(line, `has no text "${name}"`);
  return value;
};
const isCount = (value: Json | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const countIn = (given: JsonObject, name: string, line: number): number => {
  const value = ownMember(given, name);
  if (!isCount(value)) throw malformed(line, `has no whole number "${name}"`);
  return value;
};
const memberIn = (given: JsonObject, name: string, line: number): JsonObject => {
  const value = ownMember(given, name);
  if (!isJsonObject(value)) throw malformed(line, `has no object "${name}"`);
  return value;
};
const listIn = (given: JsonObject, name: string, line: number): readonly Json[] => {
  const value = ownMember(given, name);
  if (!Array.isArray(value)) throw malformed(line, `has no list "${name}"`);
  return value;
};
const stringsIn = (given: JsonObject, name: string, line: number): readonly string[] =>
  listIn(given, name, line).map((value) => {
    if (typeof value !== 'string') throw malformed(line, `has a list "${name}" with more than texts`);
    return value;
  });
const objectsIn = (given: JsonObject, name: string, line: number): readonly JsonObject[] =>
  listIn(given, name, line).map((value) => {
    if (!isJsonObject(value)) throw malformed(line, `has a list "${name}" with more than objects`);
    return value;
  });
