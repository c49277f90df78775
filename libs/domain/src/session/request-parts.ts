import type {
  Integer,
  JsonObject,
  MessageId,
  NonEmpty,
  RequestId,
  Revision,
  SubjectRef,
  Tokens,
} from '@app/kernel';
import type { Erased } from '../message/subjects.js';
import type { WireFormat } from '../message/wire.js';
import type { Contribution, LadderRung } from './facts.js';
import type { Opened } from './recorded/session-opened.js';

/** A text with its SHA-256, hexadecimal. */
export type HashedText = { readonly digest: NonEmpty; readonly text: string };

/**
 * A text that replaces the one in force. Where both begin and end alike, `text` is only the part between: the new text
 * keeps `keptStart` UTF-16 units of the beginning and `keptEnd` of the end. `digest` is the SHA-256 of the whole new text.
 */
export type TextChange = HashedText & { readonly keptStart?: number; readonly keptEnd?: number };

/**
 * The JSON text of each item that represents a message in a client's request. A number is the index of a string among
 * those of the message's blocks; `-1 - n` is the same string with non-ASCII characters escaped.
 */
export type MessageForm = readonly (readonly (string | Integer)[])[];

/** The form of a gateway client's requests: everything around the history, and messages in a different form. */
export type ClientForm = {
  readonly format: WireFormat;
  /** The body up to the first message of the session, between two items, and behind the last one. */
  readonly before: string;
  readonly separator: string;
  readonly after: string;
  /** Messages that the client writes otherwise than this engine would. */
  readonly forms: ReadonlyMap<MessageId, MessageForm>;
  /** The body of the newest request, if it cannot be composed from the rest. */
  readonly literal: string | undefined;
};

/** The parts of a session's requests that are not its history, as they are in force. */
export type RequestParts = {
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  /** Counted tokens of system prompt and tools. */
  readonly fixedTokens: Tokens;
  /** The contributions to the newest request. */
  readonly contributions: readonly Contribution[];
  /** `undefined` for a session without a client of the gateway. */
  readonly client: ClientForm | undefined;
};

/** The parts in an opening state: the ones changed since the session was opened. */
export type OpeningParts = Partial<Omit<RequestParts, 'client'>> & {
  /** Data subjects of system prompt and tools; `historySubjects` are the rest's. */
  readonly subjects?: readonly SubjectRef[];
  readonly historySubjects?: readonly SubjectRef[];
  readonly erased?: Erased;
  readonly client?: Omit<ClientForm, 'forms' | 'literal'> & {
    readonly forms: readonly { readonly messageId: MessageId; readonly form: MessageForm }[];
    readonly literal?: string;
  };
};

/** Texts below this many UTF-16 units are recorded in full, so that the log stays readable. */
const WHOLE_BELOW = 1_024;

/** Returns the parts that a session is opened with. */
export const partsOpened = ({ systemPrompt, tools, fixedTokens }: Opened): RequestParts => ({
  systemPrompt,
  tools,
  fixedTokens,
  contributions: [],
  client: undefined,
});

/** Returns how `after` replaces `before`; `undefined` where both are the same. */
export const textChange = (before: string, after: HashedText): TextChange | undefined => {
  const { digest, text } = after;
  if (before === text) return undefined;
  const keptStart = sharedStart(before, text);
  const keptEnd = sharedEnd(before, text, Math.min(before.length, text.length) - keptStart);
  if (text.length < WHOLE_BELOW || keptStart + keptEnd < text.length / 2) return { digest, text };
  return { digest, text: text.slice(keptStart, text.length - keptEnd), keptStart, keptEnd };
};

/** Returns the text that a change makes of the one in force. */
export const changedText = (before: string, { text, keptStart = 0, keptEnd = 0 }: TextChange): string =>
  before.slice(0, keptStart) + text + before.slice(before.length - keptEnd);

const sharedStart = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  // A pair of surrogates is not parted.
  return at > 0 && isHigh(a.charCodeAt(at - 1)) ? at - 1 : at;
};

const sharedEnd = (a: string, b: string, most: number): number => {
  let count = 0;
  while (count < most && a.charCodeAt(a.length - 1 - count) === b.charCodeAt(b.length - 1 - count))
    count += 1;
  return count > 0 && isLow(a.charCodeAt(a.length - count)) ? count - 1 : count;
};

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Returns the parts for an opening state, with the forms of the messages in `kept`. */
export const openingParts = (
  { systemPrompt, tools, fixedTokens, contributions, client }: RequestParts,
  opened: Opened,
  kept: ReadonlySet<string>,
): OpeningParts | undefined => {
  const parts: OpeningParts = {
    ...(systemPrompt !== opened.systemPrompt && { systemPrompt }),
    ...(!sameTools(tools, opened.tools) && { tools }),
    ...(fixedTokens !== opened.fixedTokens && { fixedTokens }),
    ...(contributions.length > 0 && { contributions }),
    ...(client && {
      client: {
        format: client.format,
        before: client.before,
        separator: client.separator,
        after: client.after,
        forms: [...client.forms]
          .filter(([messageId]) => kept.has(messageId))
          .map(([messageId, form]) => ({ messageId, form })),
        ...(client.literal !== undefined && { literal: client.literal }),
      },
    }),
  };
  return Object.keys(parts).length === 0 ? undefined : parts;
};

/** Returns the parts in force from an opening state. */
export const partsReopened = (opened: Opened, parts: OpeningParts = {}): RequestParts => {
  const { client, subjects: _, historySubjects: __, erased: ___, ...rest } = parts;
  return {
    ...partsOpened(opened),
    ...rest,
    client: client && {
      ...client,
      forms: new Map(client.forms.map(({ messageId, form }) => [messageId, form])),
      literal: client.literal,
    },
  };
};

export const sameTools = (a: readonly JsonObject[], b: readonly JsonObject[]): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/** A composed request, as needed for its usage. */
export type RequestRecord = {
  readonly requestId: RequestId;
  /** Revision of the session from which it was composed. */
  readonly revision: Revision;
  /** Number of the session's messages that the request carries, or of their replacements. */
  readonly messages: number;
  /** Counted tokens of its contributions. */
  readonly contributed: Tokens;
  /** Counted tokens that stages left out of it on its way. */
  readonly omittedTokens: number;
  /** The rung of the ladder; absent if it was sent in full. */
  readonly rung?: LadderRung;
  /** Whether the context has changed since: its bill counts for cost only. */
  readonly isVoid: boolean;
  readonly isBilled: boolean;
};

/** Number of remembered requests: later bills are looked up in the log. */
const REMEMBERED = 16;

/** The newest requests, oldest first, with one more. */
export const withRequest = (all: readonly RequestRecord[], one: RequestRecord): readonly RequestRecord[] => [
  ...all.slice(1 - REMEMBERED),
  one,
];

/** The same once the context is another: their bills count for cost alone. */
export const voided = (all: readonly RequestRecord[]): readonly RequestRecord[] =>
  all.map((one) => (one.isVoid ? one : { ...one, isVoid: true }));

/** The same once one of them has its bill. */
export const withBillFor = (all: readonly RequestRecord[], requestId: RequestId): readonly RequestRecord[] =>
  all.map((one) => (one.requestId === requestId ? { ...one, isBilled: true } : one));
