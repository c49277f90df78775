import type { IsoTime, JsonObject } from '@app/kernel';
import type { DraftMessage } from '../drafts/draft.js';

/** The meaning of an event for a session. */
export type Found =
  | { readonly kind: 'prompt'; readonly system: string; readonly tools: readonly JsonObject[] }
  /** The model that the conversation is with. */
  | { readonly kind: 'model'; readonly model: string }
  /** `responseId`: further events of the same response belong to the same message. */
  | { readonly kind: 'message'; readonly message: DraftMessage; readonly responseId?: string }
  | { readonly kind: 'condensation'; readonly condensation: Condensation }
  /** Begins a session of a sub-agent, or ends it. */
  | { readonly kind: 'delegation'; readonly name: string; readonly message: DraftMessage }
  | { readonly kind: 'delegated'; readonly message: DraftMessage }
  /** A call of another agent's, once more with each of its states; the last has the result. */
  | {
      readonly kind: 'outside-call';
      readonly callId: string;
      readonly call: DraftMessage;
      readonly result?: DraftMessage;
    }
  /** No model is shown it. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unusable' };

/** The events that the agent no longer sends to the model, and their summary, if there is one. */
export type Condensation = {
  readonly id: string | undefined;
  readonly summary: string | undefined;
  readonly createdAt: IsoTime | undefined;
  readonly forgotten: (eventId: string) => boolean;
};

export const NOTHING: Found = { kind: 'nothing' };
export const UNUSABLE: Found = { kind: 'unusable' };
