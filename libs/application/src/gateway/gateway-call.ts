import type { LadderPolicy } from '@app/domain';
import type { ReadBody, WireName } from '@app/formats';
import type { AppError, SessionId, SubjectRef, TenantId } from '@app/kernel';
import type { UpstreamAnswer } from '@app/ports';
import type { Caller } from '../sessions/session-store.js';

/** Settings of a new session: from headers of its first request, or configured. */
export type SessionWishes = {
  /** Its ID; derived from the history by default. */
  readonly session?: SessionId;
  /** The agent's own ID of its session: a name, which other conversations of the agent share. */
  readonly agentSession?: SessionId;
  readonly profile?: string;
  /** Metadata for searches. */
  readonly title?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly agent?: string;
  readonly project?: string;
  /** Data subjects of the new messages of the request. */
  readonly subjects?: readonly SubjectRef[];
  /** Tokens; by default that of the model. */
  readonly window?: number;
  /** Whether the gateway offers the recall tool to the model and answers its calls; by default as the profile says. */
  readonly recall?: boolean;
  /** Default of `recall` for new sessions. */
  readonly recallByDefault?: boolean;
};

/** A request that the gateway forwards unchanged and that concerns no session. */
export type PassedCall = {
  readonly tenant: TenantId;
  readonly wire: WireName;
  /** Path and query relative to the base URL of the upstream. */
  readonly path: string;
  /** Headers to forward. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bringsKey: boolean;
  /** The unparsed body, if the request has one: a text or its UTF-8 bytes. */
  readonly body?: string | Buffer;
  /** Aborts when the client disconnects or has its answer. */
  readonly signal: AbortSignal;
};

/** A request of a client that uses the API of its provider. */
export type GatewayCall = Omit<PassedCall, 'body'> &
  ReadBody & {
    readonly caller: Caller;
    /** The unparsed body. */
    readonly text: string;
    /** The text in UTF-8, as it has arrived. */
    readonly bytes: Buffer;
    readonly wishes: SessionWishes;
    /** A client's decision that this one turn goes on although a compaction is required. */
    readonly override?: { readonly reason: string };
    /** In the place of the profile's `ladder`, for this request alone. */
    readonly ladder?: LadderPolicy;
    /** Finds the data subjects whose content the new messages are. */
    readonly subjects?: () => Promise<readonly SubjectRef[]>;
    /** Whether the request fails, instead of being sent unchanged, while the log or the database is unavailable. */
    readonly isRecordedOnly: boolean;
    /** Counts appended bytes against the tenant's rate limit; returns the error if it is exceeded. */
    readonly take: (bytes: number) => Promise<AppError | undefined>;
  };

/** Returns a body in UTF-8, to hash and to send: the client's own as it has arrived, since a long text takes a millisecond to encode. */
export const encodedBody = ({ text, bytes }: Pick<GatewayCall, 'text' | 'bytes'>, body: string): Buffer =>
  body === text ? bytes : Buffer.from(body);

/** A streamed answer. */
export type GatewayAnswer = UpstreamAnswer & {
  /** The session of the request; `undefined` if it has none. */
  readonly session: SessionId | undefined;
};
