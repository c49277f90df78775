import type { Block, Message, ProviderEdits, Role, Usage } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type { WireFailure } from './failure.js';
import type { OutputWish } from './output-length.js';
import type { RecallWire } from './recall/recall-wire.js';
import type { Digest } from './said.js';

export type { WireFailure };

/** The provider APIs that a client may speak to the gateway. */
export type WireName = 'anthropic' | 'openai-chat' | 'openai-responses';

/** One message of the history that a client sends. */
export type ClientMessage = {
  readonly role: Role;
  readonly blocks: readonly Block[];
  /** What each of its items says, worked out when it is asked for; `undefined` of one that says nothing. */
  readonly says: readonly (() => Digest | undefined)[];
  /** Its items among those of the request: from `from` up to, without, `to`. */
  readonly from: number;
  readonly to: number;
};

/** Where OpenAI’s requests have a system prompt: a member of their own, or a first item of a role. */
export type SystemForm = 'instructions' | 'system' | 'developer';
export const isSystemForm = (text: string | undefined): text is SystemForm =>
  text === 'instructions' || text === 'system' || text === 'developer';

/** What a request of a client is to the gateway; everything else in it is its provider's. */
export type ClientRequest = {
  readonly model: string;
  /** Empty where there is none. */
  readonly system: string;
  /** How it was sent, where it was one text of OpenAI’s form; absent where it was several, or none. */
  readonly systemAs?: SystemForm;
  readonly tools: readonly JsonObject[];
  readonly isStream: boolean;
  /** Items of the history, in order, as they came; those of the system prompt among them. */
  readonly items: readonly JsonObject[];
  readonly messages: readonly ClientMessage[];
  /** The answer that the provider is asked to go on from, where the client leaves the history to it. */
  readonly continues?: string;
  /** Whether the provider leaves parts of the history out by itself, because the request asks for that. */
  readonly isManaged: boolean;
  /** How long an answer it asks for. */
  readonly output: OutputWish;
};

/** Why a request cannot be served, said as its provider would. */
export type WireRefusal = { readonly status: number; readonly body: JsonObject };

/** A finished answer of a provider. */
export type WireAnswer = {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly blocks: readonly Block[];
  readonly digests: readonly Digest[];
  readonly usage: Usage | undefined;
  readonly stopReason: string;
  /** Whether the model has said all that it wanted: no results are due, and nothing was cut off. */
  readonly endsTurn: boolean;
  readonly edits: ProviderEdits | undefined;
  /** Items by which a client may name what they hold, instead of sending it. */
  readonly named: readonly { readonly id: string; readonly digest: Digest | undefined }[];
};

/** What one of the provider APIs looks like. Everything in it is a pure function of the bytes that went over the wire. */
export type Wire = {
  readonly name: WireName;
  /** The member of a request that holds the history. */
  readonly history: string;
  /** @param named what items that are only named say. */
  readonly read: (
    body: JsonObject,
    named: ReadonlyMap<string, Digest | undefined>,
  ) => ClientRequest | WireRefusal;
  /** Ids of items that a request names instead of holding them. */
  readonly namesIn: (body: JsonObject) => readonly string[];
  /** A finished answer; `undefined` where it is none. */
  readonly answer: (body: JsonObject) => WireAnswer | undefined;
  /** The same out of all events of a stream; `undefined` where the stream did not come to its end. */
  readonly answerOf: (stream: string) => WireAnswer | undefined;
  /** A message in the form of this API: the items as they came, where they have been kept. */
  readonly itemsOf: (message: Pick<Message, 'role' | 'blocks'>) => readonly JsonObject[];
  /** What stands in the user's place before a retained history, with its first item, where both are one message. */
  readonly opening: (texts: readonly string[], first: JsonObject | undefined) => Opening;
  /** Bytes that only an event that ends a stream holds. */
  readonly ending: RegExp;
  /** Names of events that come before anything is decided. */
  readonly preamble: ReadonlySet<string>;
  readonly error: (failure: WireFailure) => JsonObject;
  /** How calls of the recall tool are answered without the client. */
  readonly recall: RecallWire;
};
export type Opening = { readonly items: readonly JsonObject[]; readonly tookFirst: boolean };
export const isRefusal = (read: ClientRequest | WireRefusal): read is WireRefusal => 'status' in read;
