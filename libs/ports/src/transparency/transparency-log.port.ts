import type { LogPosition, StreamName, TenantId } from '@app/kernel';
import type { LogWitnesses, WitnessLag } from './witnesses.port.js';

/** A signed head of a tenant's log, and where the log is kept. */
export type LogHead = {
  readonly origin: string;
  readonly size: number;
  /** The signed checkpoint, with the cosignatures that it has. */
  readonly checkpoint: string;
  /** Signs a text with the key of this head, whether or not the log has another one by now; returns a note. */
  readonly sign: (text: string) => string;
};

/** An entry about the log itself or an event of another stream, by its index. */
export type LogEntryAt = { readonly index: number; readonly text: string };

/** The same with the event that it is the leaf of; `event` is missing for entries about the log itself. */
export type PlacedEntry = LogEntryAt & {
  readonly event?: { readonly stream: StreamName; readonly revision: number };
};

/** All logs at one moment, and how far the event log is in them. */
export type LogSnapshot = {
  readonly position: LogPosition | 'start';
  readonly logs: readonly (Pick<LogHead, 'origin' | 'size' | 'checkpoint'> & { readonly tenant: TenantId })[];
};

/** Leaves from `from` to before `to`. */
type LeafRange = { readonly from: number; readonly to: number };

/** A signed checkpoint from before a change of keys, which must stay in every proof. */
type KeptHead = { readonly size: number; readonly checkpoint: string };

/**
 * Transparency logs, one per tenant: trees over all events, in the formats of C2SP. The tree of a head never changes.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface TransparencyLogs {
  /** Returns the newest head; `undefined` before the first entry. */
  head(tenant: TenantId): Promise<LogHead | undefined>;
  /** Returns the newest checkpoint that at least `count` witnesses have cosigned, with their lines; `undefined` for none. */
  cosignedCheckpoint(tenant: TenantId, count: number): Promise<string | undefined>;
  /**
   * Returns the head with a leaf that has the most cosignatures, the newest of several, and of those that the quorum has
   * cosigned if there is one: `pending` if the witnesses are still to cosign one, `undefined` if they do not answer, or there are
   * none.
   */
  witnessedHead(tenant: TenantId, index: number): Promise<LogHead | 'pending' | undefined>;
  /** Returns the witnesses of a log, `undefined` before its first entry. */
  witnesses(tenant: TenantId): Promise<LogWitnesses | undefined>;
  /** Returns how far each witness is behind. */
  witnessLags(): Promise<readonly WitnessLag[]>;
  /** Returns the bytes of a tile or an entry bundle by its path (tlog-tiles); `undefined` if the log has none. */
  tile(tenant: TenantId, path: string): Promise<Uint8Array | undefined>;
  snapshot(): Promise<LogSnapshot>;
  /** Returns the entries with an index from `from` to below `to`, as far as there are, in order. */
  entries(tenant: TenantId, from: number, to: number): Promise<readonly PlacedEntry[]>;
  /** Returns the entries about the log itself, below a size. */
  ownEntries(tenant: TenantId, size: number): Promise<readonly LogEntryAt[]>;
  keptHeads(tenant: TenantId, size: number): Promise<readonly KeptHead[]>;
  /** Returns the entry of a stream's last event below a size, and the event's revision; `undefined` if it has none there. */
  lastEntry(
    tenant: TenantId,
    stream: StreamName,
    size: number,
  ): Promise<(LogEntryAt & { readonly revision: number }) | undefined>;
  /** Returns the entry of one event; `undefined` if the log does not have it below a size. */
  entryOf(
    tenant: TenantId,
    stream: StreamName,
    revision: number,
    size: number,
  ): Promise<LogEntryAt | undefined>;
  /** Returns proofs of one tree: for each the roots of its ranges of leaves, 32 bytes each. Many proofs at once share their cost. */
  proofs(
    tenant: TenantId,
    proofs: readonly (readonly LeafRange[])[],
    size: number,
  ): Promise<readonly (readonly Uint8Array[])[]>;
  /** Returns the salt of a stream's leaves, base64. */
  salt(tenant: TenantId, stream: StreamName): Promise<string>;
  /** Replaces the log's key; returns the new vkeys. */
  rotateKey(tenant: TenantId): Promise<readonly string[]>;
}

/** Adds the log of events to the transparency logs, until `signal` aborts. */
export type TransparencyRun = (signal: AbortSignal) => Promise<void>;
