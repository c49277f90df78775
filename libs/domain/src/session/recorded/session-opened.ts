import type { IsoTime, JsonObject, ModelName, SessionId, SubjectRef, TenantId, Tokens } from '@app/kernel';
import type { Limits } from '../../budget/limits.js';
import type { OfSubjects } from '../../message/subjects.js';
import type { Profile } from '../../profiles/profile.js';

/**
 * Metadata for finding a session. Set by callers, not part of requests, and visible to every reader of the tenant,
 * including those without access to content.
 */
export type SessionDescription = OfSubjects & {
  /** At most `LIMITS.title` characters. */
  readonly title?: string;
  /** A working folder, a repository or a name; at most `LIMITS.project` characters. */
  readonly project?: string;
  readonly labels: { readonly [name: string]: string };
  /** The data subject that the label `customer` names: all content from then on is the customer's. */
  readonly customer?: SubjectRef;
};

/** Settings and description that a session begins with. */
export type Opened = SessionDescription & {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly model: ModelName;
  readonly limits: Limits;
  /** Every field, as it was on that day. */
  readonly profile: Profile;
  /** Empty without a system prompt. */
  readonly systemPrompt: string;
  readonly tools: readonly JsonObject[];
  /** Tokens of system prompt and tools. */
  readonly fixedTokens: Tokens;
  readonly parentSessionId?: SessionId;
  /** The program that carries on the session, such as `claude-code`. */
  readonly agent?: string;
  /** Set if `subjects` are those of the opening alone; otherwise they are those of all content of the session. */
  readonly subjectsApplyTo?: 'opening';
  /** By the clock of the opening process: the start of triggers by time. */
  readonly openedAt?: IsoTime;
};

/** Data of events by type. */
export type OpeningEvents = {
  /** The session begins, with its settings and description. */
  SessionOpened: Opened;
  /** The whole description from now on, and the names of its changed fields. */
  SessionDescribed: SessionDescription & { changed: readonly ('title' | 'project' | 'labels')[] };
};
