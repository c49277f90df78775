import type { Event, IsoTime, JsonObject, SessionId, TenantId, Tokens } from '@app/kernel';
import type { Limits } from '../../budget/limits.js';
import type { Profile } from '../../profiles/profile.js';
import type { SessionDescription } from './session-description.js';

/** The session begins, with its settings and description. */
export type SessionOpened = Event<
  'SessionOpened',
  SessionDescription & {
    tenantId: TenantId;
    sessionId: SessionId;
    model: string;
    limits: Limits;
    /** Every field, as it was on that day. */
    profile: Profile;
    /** Empty without a system prompt. */
    systemPrompt: string;
    tools: readonly JsonObject[];
    /** Tokens of system prompt and tools. */
    fixedTokens: Tokens;
    parentSessionId?: SessionId;
    /** The program that carries on the session, such as `claude-code`. */
    agent?: string;
    /** Set if `subjects` are those of the opening alone; otherwise they are those of all content of the session. */
    subjectsApplyTo?: 'opening';
    /** By the clock of the opening process: the start of triggers by time. */
    openedAt?: IsoTime;
  }
>;
