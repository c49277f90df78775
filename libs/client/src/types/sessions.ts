import type { Block, Role } from '../messages/message.js';
import type { LadderUse } from './composing.js';
import type { EventType } from './event-type.js';
import type { BudgetState, JsonObject, Profile } from './shared.js';
import type { Pin } from './talking.js';

/** What a session may fill: the window, and what of it is left for input. */
export type Limits = {
  /** The model's context window; 0 is unlimited: nothing ever triggers. */
  readonly window: number;
  /** Who said so; `assumed` is the profile's policy for models that nobody knows. */
  readonly windowSource: 'model' | 'given' | 'assumed';
  /** The model's longest answer, where it is known. */
  readonly maxOutput?: number;
  /** The model's own limit for input, where it is smaller than the window. */
  readonly inputLimit?: number;
};
/** A state of a session: a revision, a time of ISO 8601, or the id of a request, which names what that was composed from. */
export type AsOf = number | string;
/** How long automatic compactions wait on somebody's word: until the turn ends, or until they are released. */
export type HoldUntil = 'turn-end' | 'released';
export type SessionSummary = {
  readonly session: string;
  readonly turns: number;
  readonly messages: number;
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
  readonly compactions: number;
  readonly revision: number;
  readonly profile: string;
  readonly model: string;
  readonly openedAt: string;
  readonly updatedAt: string;
};
export type SessionView = {
  readonly session: string;
  readonly revision: number;
  readonly status: 'open' | 'closed';
  readonly parent: null | string;
  readonly labels: { readonly [name: string]: string };
  readonly settings: { readonly model: string; readonly profile: Profile; readonly limits: Limits };
  readonly budget: {
    /** Of the next request. */
    readonly occupancy: number;
    readonly window: number;
    readonly state: BudgetState;
    /** The newest requests, one after the other, that went out shortened; `null` where the newest one did not. */
    readonly ladder: null | LadderUse;
    /** Whether the provider compacts beside this engine. */
    readonly doubleCompaction: boolean;
  };
  readonly pins: readonly Pin[];
  readonly messages: number;
  readonly turn: number;
  readonly isInTurn: boolean;
  readonly compactions: number;
  /** The compaction, reset or fork that the context begins with. */
  readonly pivot: null | string;
  /** The compaction that is asked for, under way or waiting. */
  readonly compaction: null | { readonly compactionId: string; readonly status: 'requested' | 'deferred' };
  /** On whose word automatic compactions wait. */
  readonly hold?: null | {
    readonly until: HoldUntil;
    readonly by: string;
    readonly reason: string;
    readonly turn: number;
  };
};
export type ExportedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly role: Role;
  readonly synthetic?: 'continuation' | 'restated';
  readonly content: readonly Block[];
};
/** An event of a session as it was recorded: `docs/guides/event-log.md` has the types and their data. */
export type LoggedEvent = {
  readonly revision: number;
  readonly type: EventType;
  readonly id: string;
  readonly recordedAt: string;
  readonly actor: string;
  readonly correlationId: string;
  readonly causationId?: string;
  readonly data: JsonObject;
};
