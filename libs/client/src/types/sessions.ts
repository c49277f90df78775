import type { Block, Role } from '../messages/message.js';
import type { EventType } from './event-type.js';
import type { Pin } from './messages.js';
import type { LadderUse } from './requests.js';
import type { BudgetState, JsonObject, Profile } from './shared.js';

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
  /** Metadata that callers have given; `null` where they have not. */
  readonly title: null | string;
  readonly agent: null | string;
  readonly project: null | string;
  readonly labels: { readonly [name: string]: string };
  readonly turns: number;
  readonly messages: number;
  /** Billed tokens of the next request. */
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
  readonly compactions: number;
  readonly revision: number;
  readonly profile: string;
  readonly model: string;
  readonly openedAt: string;
  /** When its newest event was recorded. */
  readonly lastActivityAt: string;
};
/** The orders of the list of sessions; `-` for the largest or newest first. */
export type SessionSort =
  | '-lastActivity'
  | 'lastActivity'
  | '-occupancy'
  | 'occupancy'
  | '-opened'
  | 'opened';
/** What the sessions of a list have in common: all that is named. */
export type SessionFilter = {
  readonly agent?: string;
  readonly project?: string;
  /** With this label `user` or `customer`. */
  readonly user?: string;
  readonly customer?: string;
  /** `name`, or `name=value`; each of several. */
  readonly label?: string | readonly string[];
  readonly state?: BudgetState;
  /** Billed tokens of the next request, or more. */
  readonly minOccupancy?: number;
  /** Words in the title; upper and lower case are the same. */
  readonly title?: string;
  /** `-lastActivity` where it is not given. */
  readonly sort?: SessionSort;
};
export type SessionView = {
  readonly session: string;
  readonly revision: number;
  readonly status: 'open' | 'closed';
  readonly parent: null | string;
  readonly title: null | string;
  /** The program that carries on the session. */
  readonly agent: null | string;
  readonly project: null | string;
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
    readonly duplicateCompaction: boolean;
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
