/** `governance` periods can be shortened with permission and a reason; `compliance` periods can only be lengthened. */
export type RetentionMode = 'governance' | 'compliance';

/** How long new sessions are kept. */
export type RetentionDefault = {
  readonly mode: RetentionMode;
  /** After the newest event of the session. */
  readonly days: number;
};

export type RetentionDefaults = {
  /** For all other profiles; `null` for no period. */
  readonly default: RetentionDefault | null;
  /** By the name of the session's profile; `null` exempts one. */
  readonly profiles: { readonly [profile: string]: RetentionDefault | null };
};

export type RetentionPeriod = {
  readonly mode: RetentionMode;
  /** Content is kept at least until then. */
  readonly until: string;
  /** The date moves to as many days after the newest event; without it, the date is final. */
  readonly days?: number;
};

/** A hold on a session: while it lasts, nothing of it is erased. */
export type LegalHold = {
  readonly matter: string;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
};

/** The first fact that forbids an erasure. */
export type ErasureBarrier =
  | { readonly kind: 'hold'; readonly matter: string }
  | { readonly kind: 'retention'; readonly mode: RetentionMode; readonly until: string };

/** The facts that forbid to erase a session. */
export type SessionProtection = {
  readonly session: string;
  readonly period: RetentionPeriod | null;
  /** Oldest first. */
  readonly holds: readonly LegalHold[];
  /** `null` if the session may be erased. */
  readonly barrier: ErasureBarrier | null;
};

export type HeldSession = Pick<SessionProtection, 'session' | 'holds' | 'period'>;
