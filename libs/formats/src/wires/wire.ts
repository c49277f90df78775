import type { Block, Message, ProviderEdits, Role, Usage } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import type { Essence } from './essence.js';
import type { WireFailure } from './failure.js';
import type { OutputWish } from './output-length.js';
import type { RecallWire } from './recall/recall-wire.js';

export type { WireFailure };

/** The provider APIs that a client may speak to the gateway. */
export type WireName = 'anthropic' | 'openai-chat' | 'openai-responses';

/** An item of a history that its request names by id instead of holding it. */
type ItemReference = { readonly item: string };

/** One message of the history that a client sends. */
export type ClientMessage = {
  readonly role: Role;
  readonly blocks: readonly Block[];
  /** Contents of its items, computed on demand; `undefined` for an item without content. */
  readonly says: readonly (() => Essence | ItemReference | undefined)[];
  /** The range of its items in the request, `to` exclusive. */
  readonly from: number;
  readonly to: number;
};

/** Places of the system prompt in OpenAI’s requests: a member of its own, or a first item with a role. */
export type SystemForm = 'instructions' | 'system' | 'developer';
export const isSystemForm = (text: string | undefined): text is SystemForm =>
  text === 'instructions' || text === 'system' || text === 'developer';

/** The parts of a client's request that the gateway reads; the rest is passed on. */
export type ClientRequest = {
  readonly model: string;
  /** Empty without a system prompt. */
  readonly system: string;
  /** The form of a system prompt in one OpenAI message; absent for several or none. */
  readonly systemAs?: SystemForm;
  readonly tools: readonly JsonObject[];
  readonly isStream: boolean;
  /** The items of the history in order, unchanged, including the system prompt. */
  readonly items: readonly JsonObject[];
  readonly messages: readonly ClientMessage[];
  /** The response that the request continues, if the client keeps its history at the provider. */
  readonly continues?: string;
  /** Whether the provider leaves parts of the history out by itself, because the request asks for that. */
  readonly isManaged: boolean;
  /** Requested length of the answer. */
  readonly output: OutputWish;
};

/** The refusal of a request in the provider's error format. */
export type WireRefusal = { readonly status: number; readonly body: JsonObject };

/** A finished answer of a provider. */
export type WireAnswer = {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly blocks: readonly Block[];
  readonly essences: readonly Essence[];
  readonly usage: Usage | undefined;
  readonly stopReason: string;
  /** Whether the model is done: no results are due, and the output is complete. */
  readonly endsTurn: boolean;
  readonly edits: ProviderEdits | undefined;
  /** Items that a client may reference by id instead of sending them. */
  readonly named: readonly { readonly id: string; readonly essence: Essence | undefined }[];
};

/** A provider API. All functions are pure functions of the exchanged bytes. */
export type Wire = {
  readonly name: WireName;
  /** The member of a request that holds the history. */
  readonly history: string;
  readonly read: (body: JsonObject) => ClientRequest | WireRefusal;
  /** Ids of items that a request names instead of holding them. */
  readonly namesIn: (body: JsonObject) => readonly string[];
  /** Returns a complete answer; `undefined` for any other body. */
  readonly answer: (body: JsonObject) => WireAnswer | undefined;
  /** Returns the answer from all events of a stream; `undefined` for an incomplete stream. */
  readonly answerOf: (stream: string) => WireAnswer | undefined;
  /** Returns a message in the form of this API: the original items, if preserved. */
  readonly itemsOf: (message: Pick<Message, 'role' | 'blocks'>) => readonly JsonObject[];
  /** Returns user texts before a retained history, merged with its first item if the API requires it. */
  readonly opening: (texts: readonly string[], first: JsonObject | undefined) => Opening;
  /** Bytes that only an event that ends a stream holds. */
  readonly ending: RegExp;
  /** Names of events that come before anything is decided. */
  readonly preamble: ReadonlySet<string>;
  readonly error: (failure: WireFailure) => JsonObject;
  /** Answers calls of the recall tool without the client. */
  readonly recall: RecallWire;
};
export type Opening = { readonly items: readonly JsonObject[]; readonly tookFirst: boolean };
export const isRefusal = (read: ClientRequest | WireRefusal): read is WireRefusal => 'status' in read;
