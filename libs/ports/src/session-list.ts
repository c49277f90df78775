import type { Shape, sessionSummary } from '@app/contract';
import type { BudgetState } from '@app/domain';
import type { SessionId, TenantId } from '@app/kernel';

export type SessionSummary = Shape<typeof sessionSummary>;

/** The orders of the list; `-` for the largest or newest first. */
export const SESSION_SORTS = [
  '-lastActivity',
  'lastActivity',
  '-occupancy',
  'occupancy',
  '-opened',
  'opened',
] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];

/** A filter by the current metadata of sessions: all given conditions must hold. */
export type DescriptionFilter = {
  readonly agent?: string;
  readonly project?: string;
  /** Each of these labels; without a value, of any. */
  readonly labels?: readonly { readonly name: string; readonly value?: string }[];
};

/** Dimensions of totals by the current metadata of sessions; `user` and `customer` are the labels of these names. */
export const DESCRIPTION_GROUPS = ['agent', 'project', 'user', 'customer'] as const;
/** A dimension of totals by the values of a label, such as `label:team`. */
export type LabelGroup = `label:${string}`;

/** The filter of a session list: all given conditions must hold. */
export type SessionFilter = DescriptionFilter & {
  readonly state?: BudgetState;
  /** Child sessions of this session. */
  readonly parent?: SessionId;
  /** Billed tokens of the next request, or more. */
  readonly minOccupancy?: number;
  /** Words in the title; upper and lower case are the same. */
  readonly title?: string;
};

/**
 * The position of a page's end: the sort value of its last session (a log position, tokens or a time), and the
 * session's id.
 */
export type SessionPlace = { readonly value: string; readonly session: SessionId };

export type SessionQuery = SessionFilter & {
  readonly tenant: TenantId;
  readonly sort?: SessionSort;
  readonly after?: SessionPlace;
  /** At most 1,000. */
  readonly limit: number;
};
export type SessionPage = {
  readonly items: readonly SessionSummary[];
  /** `null` on the last page. */
  readonly next: SessionPlace | null;
};
