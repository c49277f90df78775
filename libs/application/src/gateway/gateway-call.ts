import type { LadderPolicy } from '@app/domain';
import type { WireName } from '@app/formats';
import type { AppError, JsonObject, SessionId, TenantId } from '@app/kernel';
import type { UpstreamAnswer } from '@app/ports';
import type { Caller } from '../sessions/session-store.js';

/** What a session is that a client begins; each a header of its first request, or as configured. */
export type SessionWishes = {
  /** Its name; one out of its history where the client gives none. */
  readonly session?: SessionId;
  readonly profile?: string;
  /** Metadata by which people find it. */
  readonly agent?: string;
  readonly project?: string;
  /** Tokens; the model's where nobody says. */
  readonly window?: number;
  /** Whether the gateway gives the model the recall tool, and answers its calls; as the profile says where it is not given. */
  readonly recall?: boolean;
  /** The same for sessions that begin, where the client does not say. */
  readonly recallByDefault?: boolean;
};

/** A question of a client to its provider that is about no session. */
export type PassedCall = {
  readonly tenant: TenantId;
  readonly wire: WireName;
  /** Behind the base URL of the upstream, with the query. */
  readonly path: string;
  /** Those that the provider is to see. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bringsKey: boolean;
  /** Aborts when the client is gone, or has its answer. */
  readonly signal: AbortSignal;
};

/** A request of a client that knows its provider alone. */
export type GatewayCall = PassedCall & {
  readonly caller: Caller;
  /** The body as it came. */
  readonly text: string;
  readonly body: JsonObject;
  readonly wishes: SessionWishes;
  /** Somebody's word that this one turn goes on although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** In the place of the profile's `ladder`, for this request alone. */
  readonly ladder?: LadderPolicy;
  /** Counts bytes that a session grows by against what its tenant may append; the refusal, where that is used up. */
  readonly take: (bytes: number) => Promise<AppError | undefined>;
};

/** What the client is answered, as it comes. */
export type GatewayAnswer = UpstreamAnswer & {
  /** The session that the request went to; `undefined` where it came to none. */
  readonly session: SessionId | undefined;
};
