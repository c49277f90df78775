import type { Brand } from './brand.js';
import { AppError } from './errors.js';
import { type IsoTime, Revision, readTime } from './units.js';

/** A tenant's key: letters, digits and `_`, so that stream names can be cut at the first `-` and `.`. */
export type TenantId = Brand<string, 'TenantId'>;
export const TenantId = (value: string): TenantId =>
  checked('tenant', value, /^[A-Za-z0-9_]{1,64}$/, 'letters, digits and _, at most 64') as TenantId;

/** One agent's conversation, unique within its tenant. */
export type SessionId = Brand<string, 'SessionId'>;
export const SessionId = (value: string): SessionId =>
  checked(
    'session',
    value,
    /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/,
    'letters, digits and _ . : -, at most 128',
  ) as SessionId;

/** A message of a session, unique within it. */
export type MessageId = Brand<string, 'MessageId'>;
export const MessageId = (value: string): MessageId =>
  checked(
    'message',
    value,
    /^[\x21-\x7e]{1,200}$/,
    'printable ASCII without blanks, at most 200',
  ) as MessageId;

export type CompactionId = Brand<string, 'CompactionId'>;
export const CompactionId = (value: string): CompactionId =>
  checked(
    'compaction',
    value,
    /^[A-Za-z0-9_-]{1,64}$/,
    'letters, digits, _ and -, at most 64',
  ) as CompactionId;

/**
 * The id of a composed request: `req-`, the revision of the session that it was composed from, and digits that are others
 * in other sessions. Its event directly follows that revision.
 */
export type RequestId = Brand<string, 'RequestId'>;
export const RequestId = (value: string): RequestId =>
  checked(
    'request',
    value,
    /^req-(?:0|[1-9][0-9]{0,15})-[0-9a-f]{1,12}$/,
    'an id that `compose` has returned, such as req-12-0f3ac5d1e2b4',
  ) as RequestId;
/** The revision that a request was composed from. */
export const revisionIn = (id: RequestId): number => Number(id.split('-')[1]);

/** A reference to a past state of a session: a revision, the request composed from it, or a time. */
export type AsOf = Revision | RequestId | IsoTime;

export const isRequestId = (asOf: AsOf): asOf is RequestId =>
  typeof asOf === 'string' && asOf.startsWith('req-');

/** Reads a revision, the id of a request, or a time. @throws {AppError} `invalid-id`. */
export const parseAsOf = (text: string): AsOf => {
  if (/^\d{1,15}$/.test(text)) return Revision(Number(text));
  if (text.startsWith('req-')) return RequestId(text);
  const time = readTime(text);
  if (time !== undefined) return time;
  throw new AppError(
    'invalid-id',
    'not a state of a session: give a revision such as 12, the id of a request such as req-12-0f3ac5d1e2b4, or a time such as 2026-11-21T09:30:00Z',
  );
};

/** The id of pinned content, unique within its session: a second pin with the same id replaces the first. */
export type PinId = Brand<string, 'PinId'>;
export const PinId = (value: string): PinId =>
  checked('pin', value, /^[A-Za-z0-9_.-]{1,64}$/, 'letters, digits and _ . -, at most 64') as PinId;

/** The public id of an API key, for output that must not contain the key. */
export type KeyId = Brand<string, 'KeyId'>;
export const KeyId = (value: string): KeyId =>
  checked('key', value, /^[A-Za-z0-9]{12}$/, '12 letters and digits') as KeyId;

/** A webhook of a tenant. */
export type WebhookId = Brand<string, 'WebhookId'>;
export const WebhookId = (value: string): WebhookId =>
  checked('webhook', value, /^wh_[A-Za-z0-9]{12}$/, 'wh_ and 12 letters and digits') as WebhookId;

/** Originator of an event: the ID of an API key or a worker, or `system`. */
export type Actor = Brand<string, 'Actor'>;
export const Actor = (value: string): Actor =>
  checked('actor', value, /^[\x21-\x7e]{1,128}$/, 'printable ASCII without blanks, at most 128') as Actor;

/** Under which a tenant has given a secret. */
export type SecretName = Brand<string, 'SecretName'>;
export const SecretName = (value: string): SecretName =>
  checked(
    'secret',
    value,
    /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/,
    'letters, digits and _ . -, at most 64',
  ) as SecretName;

/**
 * A data subject of a tenant, such as a customer, as a keyed fingerprint of its name: the name can be told only with
 * the tenant's key.
 */
export type SubjectRef = Brand<string, 'SubjectRef'>;
export const SubjectRef = (value: string): SubjectRef =>
  checked('subject', value, /^sub_[A-Za-z0-9_-]{22}$/, 'sub_ and 22 letters, digits, _ and -') as SubjectRef;

/** An erasure of content, unique within its tenant. */
export type ErasureId = Brand<string, 'ErasureId'>;
export const ErasureId = (value: string): ErasureId =>
  checked('erasure', value, /^era_[A-Za-z0-9]{16}$/, 'era_ and 16 letters and digits') as ErasureId;

/** The proceeding that a legal hold is for, as the tenant names it. */
export type MatterName = Brand<string, 'MatterName'>;
export const MatterName = (value: string): MatterName =>
  checked(
    'matter',
    value,
    /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/,
    'letters, digits and _ . -, at most 64',
  ) as MatterName;

export type StreamName = Brand<string, 'StreamName'>;
/** The stream of a session. The tenant is first, so that a prefix filter selects a tenant's streams. */
export const sessionStream = (tenant: TenantId, session: SessionId): StreamName =>
  `session-${tenant}.${session}` as StreamName;

/** Returns tenant and session of a session stream; `undefined` for other streams. */
export const sessionOf = (stream: string): { tenant: TenantId; session: SessionId } | undefined => {
  const found = SESSION_STREAM.exec(stream);
  return found?.[1] && found[2] ? { tenant: TenantId(found[1]), session: SessionId(found[2]) } : undefined;
};

/** The stream of decisions about a tenant: registration, keys, limits, webhooks, secrets. */
export const tenantStream = (tenant: TenantId): StreamName => `tenant-${tenant}` as StreamName;
/**
 * The stream of reads of a tenant's records. Separate, because the other stream is read in full before every decision
 * and this one grows with every read of the audit.
 */
export const readsStream = (tenant: TenantId): StreamName => `reads-${tenant}` as StreamName;

/**
 * The erasure ledger of a tenant: requests and results of erasures, with ids of keys and no personal data. Separate, so
 * that it can be read in full before any key of the tenant is used.
 */
export const erasuresStream = (tenant: TenantId): StreamName => `erasures-${tenant}` as StreamName;

/** Whether a stream is the erasure ledger of a tenant. */
export const isErasuresStream = (stream: string): boolean =>
  stream.startsWith('erasures-') && tenantOf(stream) !== undefined;

/** Returns the tenant of one of its own streams; `undefined` for other streams. */
export const tenantOf = (stream: string): TenantId | undefined => {
  const found = TENANT_STREAM.exec(stream);
  return found?.[1] ? TenantId(found[1]) : undefined;
};

const TENANT_STREAM = /^(?:tenant|reads|erasures)-([A-Za-z0-9_]{1,64})$/;
const SESSION_STREAM = /^session-([A-Za-z0-9_]{1,64})\.([A-Za-z0-9_][A-Za-z0-9_.:-]{0,127})$/;

const checked = (what: string, value: string, form: RegExp, rule: string): string => {
  if (!form.test(value))
    throw new AppError('invalid-id', `not ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} id: use ${rule}`);
  return value;
};
