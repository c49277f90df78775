import type {
  Actor,
  ErasureId,
  IsoTime,
  KeyId,
  LogPositionText,
  NonEmpty,
  Revision,
  SecretName,
  SessionId,
  Sha256,
  SubjectRef,
  TenantId,
  WebhookId,
} from '@app/kernel';
import type { ModelOverride } from '../../models/record.js';
import type { SessionEventType } from '../../session/index.js';
import type { RecordedLimits } from '../limits.js';
import type { TenantPrompt } from '../prompts.js';
import type { TenantRetention } from '../retention.js';
import type { KeyPermission, KeyRole } from '../role.js';
import type { TenantSummarizers } from '../summarizers.js';

/** The scope of an erasure: a subject by its fingerprint, a session, or everything of the tenant. */
export type ErasureTarget =
  | { readonly scope: 'subject'; readonly subject: SubjectRef }
  | { readonly scope: 'session'; readonly session: SessionId }
  | { readonly scope: 'tenant' };

/** The stored form of a key, from which the key cannot be derived. */
export type ApiKeyFacts = {
  readonly keyId: KeyId;
  readonly role: KeyRole;
  /** All permissions: those of the role at the time of issue, and granted ones. */
  readonly permissions: readonly KeyPermission[];
  /** Of the whole key. */
  readonly hash: Sha256;
  /** The first characters of the key, by which its owner knows it again: `pal_` and its id. */
  readonly prefix: NonEmpty;
  /** Purpose of the key, as given by the caller. */
  readonly label: string;
  /** It counts for nothing from then on; `null` for a key that does not expire. */
  readonly expiresAt: IsoTime | null;
};

/**
 * Target and filter of a webhook. The signing secret is not included, because the log is permanent and has many
 * readers.
 */
export type WebhookSettings = {
  readonly url: string;
  /** Purpose of the webhook, as given by the caller. */
  readonly label: string;
  /** Filter by type; empty for all. */
  readonly types: readonly SessionEventType[];
  /** Filter by session; empty for all. */
  readonly sessions: readonly SessionId[];
  /** `full`: with text of people and models. */
  readonly content: 'none' | 'full';
};

export type WebhookFacts = WebhookSettings & { readonly webhookId: WebhookId };

/** Data of the decisions about a tenant by type, without those on erasures. */
export type DecisionEvents = {
  TenantRegistered: { tenantId: TenantId; name: string };
  /** All limits from now on; older events lack limits that were added later. */
  LimitsChanged: {
    limits: RecordedLimits;
  };
  /** All summarizers of the tenant from the next attempt on, with names of secrets in place of their values. */
  SummarizersConfigured: TenantSummarizers;
  /** The key of the tenant's transparency log was replaced: the keys that sign from now on, as vkeys (C2SP signed-note). */
  LogKeyRotated: { keys: readonly string[]; rotatedAt: IsoTime };
  /**
   * An operator skipped one event of this stream in a projection that could not write its row. `revision` and
   * `position` identify that event.
   */
  TenantEventSkipped: { projection: NonEmpty; revision: Revision; position: LogPositionText; reason: string };
  ApiKeyIssued: { key: ApiKeyFacts; issuedBy: Actor; issuedAt: IsoTime };
  /** `keyId` was replaced by `replacement`; both are valid until `validUntil`. */
  ApiKeyRotated: {
    keyId: KeyId;
    validUntil: IsoTime;
    replacement: ApiKeyFacts;
    rotatedBy: Actor;
    rotatedAt: IsoTime;
  };
  /** From now on the key counts for nothing. */
  ApiKeyRevoked: { keyId: KeyId; reason: string; revokedBy: Actor; revokedAt: IsoTime };
  /** Replaces the tenant's overrides of a model. */
  ModelConfigured: { model: ModelOverride };
  /** Removes the tenant's overrides of a model. */
  ModelRemoved: { model: NonEmpty };
  /** A new version of a tenant's prompt; earlier versions stay. */
  PromptRegistered: { prompt: TenantPrompt; registeredBy: Actor; registeredAt: IsoTime };
  /** Retention of sessions opened from now on: replaces all earlier defaults. */
  RetentionDefaultsSet: TenantRetention & { setBy: Actor; setAt: IsoTime };
  /** A value was given under a name, for the first time or in the place of another. The value is not in the log. */
  SecretStored: { name: SecretName; storedAt: IsoTime };
  SecretRemoved: { name: SecretName };
  /** Events of the tenant's sessions are sent to it from now on. */
  WebhookRegistered: { webhook: WebhookFacts; registeredAt: IsoTime };
  /** All its settings as they are from now on. */
  WebhookChanged: { webhook: WebhookFacts };
  /** Nothing more is sent to it; pending deliveries and dead letters are deleted. */
  WebhookRemoved: { webhookId: WebhookId };
  /**
   * An operator skipped the delivery of an event to a webhook: later events are sent. `position` is the event's
   * position in the log.
   */
  WebhookDeliverySkipped: { webhookId: WebhookId; position: LogPositionText; reason: string };
  /** Deliveries are signed with a new secret; until `validUntil` with the one before as well. */
  WebhookSecretRotated: { webhookId: WebhookId; validUntil: IsoTime; rotatedAt: IsoTime };
};

/** Data of the events of the erasure ledger by type. */
export type LedgerEvents = {
  /** Content is to be erased. `reason` is a text without personal data: the ledger is never erased. */
  ErasureRequested: {
    erasureId: ErasureId;
    target: ErasureTarget;
    reason: string;
    requestedBy: Actor;
    requestedAt: IsoTime;
    /** Set if another person has to approve it first. */
    needsApproval?: true;
  };
  /** A second person agrees. */
  ErasureApproved: { erasureId: ErasureId; approvedBy: Actor; approvedAt: IsoTime };
  /** It will not be carried out; nothing was erased. */
  ErasureWithdrawn: { erasureId: ErasureId; reason: string; withdrawnBy: Actor; withdrawnAt: IsoTime };
  /** Something forbids it for now: `because` names it. Nothing was erased, and it is tried again. */
  ErasureDeferred: {
    erasureId: ErasureId;
    because: string;
    /** The session that is held or kept. */
    session?: SessionId;
    /** The end, if it is known. */
    until?: IsoTime;
    deferredAt: IsoTime;
  };
  /**
   * The keys are destroyed, and no place holds the content in clear: the receipt. Carried out again wherever an older backup
   * brings the keys back.
   */
  ErasureCompleted: {
    erasureId: ErasureId;
    target: ErasureTarget;
    /** Ids of the destroyed keys, which are in the member `sealed` of the events; empty for a whole tenant. */
    keys: readonly NonEmpty[];
    /** The id of the tenant's destroyed key, for a whole tenant. */
    tenantKey?: NonEmpty;
    /** Numbers of destroyed keys, of sessions, and of removed items by place. */
    counts: {
      readonly keys: number;
      readonly sessions: number;
      readonly places: Readonly<Record<NonEmpty, number>>;
    };
    durationMs: number;
    completedAt: IsoTime;
  };
  /** Number of people for an erasure: 2 if another person has to approve it. */
  ErasurePolicyChanged: { people: 1 | 2; changedBy: Actor; changedAt: IsoTime };
};

/** Data of the reads of recorded data by type. */
export type ReadEvents = {
  /** A caller read recorded facts without content; the event's actor is the reader. */
  AuditRead: {
    /** The route or command that was asked, such as `GET /v1/audit`. */
    endpoint: NonEmpty;
    /** The filters of the read. */
    filters: Readonly<Record<string, string>>;
    /** Number of returned rows. */
    rows: number;
  };
  /**
   * A caller read content; the event's actor is the reader. Recorded before the response is sent, so that no read is
   * missing.
   */
  ContentRead: {
    /** The route or command that was asked, such as `GET /v1/sessions/:session/export`. */
    endpoint: NonEmpty;
    /** The session whose text was read; `null` for several sessions, which `filters` name. */
    session: SessionId | null;
    /** Range of revisions of that session from which the answer comes, inclusive. `null` for a read of several sessions. */
    revisions: { readonly from: number; readonly to: number } | null;
    /** The filters of the read. */
    filters: Readonly<Record<string, string>>;
    /** The caller's reason, at most 500 characters; `null` without one. */
    reason: string | null;
  };
};
