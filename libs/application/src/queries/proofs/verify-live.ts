import { setTimeout as pause } from 'node:timers/promises';
import type { liveReport, Shape } from '@app/contract';
import {
  AppError,
  type LogPosition,
  Slices,
  type StreamName,
  sessionOf,
  type TenantId,
  tenantOf,
} from '@app/kernel';
import type {
  LogSnapshot,
  PlacedEntry,
  Projector,
  RowComparison,
  StoredEvents,
  StoredRecord,
  TransparencyLogs,
} from '@app/ports';
import {
  CHAIN_START,
  type Chain,
  chainIn,
  checkHeads,
  claimsOf,
  hashOfLeaf,
  leafOfEvent,
  sha256,
  type VerifiedHead,
  worstOf,
} from '@app/proof';
import {
  base64,
  consistencyProof,
  encodeTile,
  formatVerifierKey,
  type Hash,
  type HashAt,
  type HashTile,
  hashesOf,
  type Policy,
  parsePolicy,
  rangeRoot,
  rootOf,
  TILE_WIDTH,
  TlogError,
  tilePath,
} from '@app/tlog';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query } from '../../command-and-query.js';
import { HandlesQuery } from '../../handlers.js';

/** The policy that a verification trusts, and the heads that the logs must continue. */
export type LiveTrust = {
  /** A policy in the form of tlog-policy; by default each log's own first entry. */
  readonly policy?: string;
  /** Heads of earlier verifications, one for each log. */
  readonly remembered?: readonly VerifiedHead[];
};

export type LiveReport = Shape<typeof liveReport>;
/** One thing that is not as it was recorded; its detail has no content. */
type LiveFinding = LiveReport['findings'][number];

/** Progress: the current step, and the verified and total numbers of entries and events. */
export type LiveProgress = {
  readonly part: LiveFinding['part'];
  readonly done: number;
  readonly total: number;
};

/** Verifies a running installation against its own transparency logs: every entry, event and row. */
export class VerifyLive extends Query<LiveReport> {
  constructor(
    readonly trust: LiveTrust = {},
    /** Called often; not by a service that is asked over HTTP. */
    readonly onProgress: (progress: LiveProgress) => void = () => {},
    /** Ends the verification. */
    readonly signal: AbortSignal = new AbortController().signal,
  ) {
    super();
  }
}

/** Time that a verification waits for a checkpoint with the newest event. */
const WAIT_MS = 5_000;
const LOOK_AGAIN_AFTER_MS = 250;
const FINDINGS_MAX = 1_000;
/** Entries read at once. */
const PAGE = 1_000;

type Parts = {
  readonly logs: TransparencyLogs;
  readonly stored: StoredEvents;
  readonly projector: Pick<Projector, 'compare'>;
};

@HandlesQuery(VerifyLive)
export class VerifyLiveHandler implements IQueryHandler<VerifyLive> {
  #isRunning = false;

  constructor(private readonly parts: Parts) {}

  /**
   * Verifies in short slices, between which the process serves others. One verification runs at a time, since each reads
   * everything.
   *
   * @throws {AppError} `invalid-request` for a policy that is none; `request-in-progress` during another verification;
   *   `postgres-unavailable`, `event-store-unavailable`; the reason of the signal.
   */
  async execute({ trust, onProgress, signal }: VerifyLive): Promise<LiveReport> {
    const policy = trust.policy === undefined ? undefined : policyIn(trust.policy);
    if (this.#isRunning)
      throw new AppError(
        'request-in-progress',
        'another verification of the installation is running, and one runs at a time: try again when it has ended',
      );
    this.#isRunning = true;
    try {
      const run = { snapshot: await this.#snapshot(signal), remembered: trust.remembered ?? [], policy };
      return await new LiveVerification(this.parts, run, onProgress, signal).report();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Waits for a while until the logs contain all events. */
  async #snapshot(signal: AbortSignal): Promise<LogSnapshot> {
    const { logs, stored } = this.parts;
    for (const until = performance.now() + WAIT_MS; ; await pause(LOOK_AGAIN_AFTER_MS)) {
      signal.throwIfAborted();
      const snapshot = await logs.snapshot();
      if (performance.now() > until || (await isAtEnd(stored, snapshot.position))) return snapshot;
    }
  }
}

const policyIn = (text: string): Policy => {
  try {
    return parsePolicy(text);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    throw new AppError(
      'invalid-request',
      `the policy cannot be read: ${error.message}: give one in the form of tlog-policy`,
    );
  }
};

/** Whether no event of a tenant is behind a position. */
const isAtEnd = async (stored: StoredEvents, position: LogPosition | 'start'): Promise<boolean> => {
  const stop = new AbortController();
  try {
    for await (const item of stored.follow(position, stop.signal)) {
      if (item.kind === 'caught-up') return true;
      if (item.kind === 'stored' && tenantIn(item.record.stream) !== undefined) return false;
    }
    return true;
  } finally {
    stop.abort();
  }
};

const tenantIn = (stream: string): TenantId | undefined => sessionOf(stream)?.tenant ?? tenantOf(stream);

/** A leaf of a log, and whether its event was found. */
type Leaf = { readonly hash: Hash; readonly index: number; isFound: boolean };
type SnapshotLog = LogSnapshot['logs'][number];

type Run = {
  readonly snapshot: LogSnapshot;
  readonly policy: Policy | undefined;
  readonly remembered: readonly VerifiedHead[];
};

class LiveVerification {
  readonly #findings: LiveFinding[] = [];
  readonly #heads: VerifiedHead[] = [];
  /** Leaves of events by stream and revision. */
  readonly #leaves = new Map<string, Map<number, Leaf>>();
  #findingCount = 0;
  #leafCount = 0;
  #events = 0;
  #newerEvents = 0;
  readonly #slices = new Slices();
  readonly #total: number;

  constructor(
    private readonly parts: Parts,
    private readonly run: Run,
    private readonly onProgress: VerifyLive['onProgress'],
    private readonly signal: AbortSignal,
  ) {
    this.#total = run.snapshot.logs.reduce((sum, { size }) => sum + size * 2, 0);
  }

  #progress(part: LiveFinding['part'], done: number): void {
    this.onProgress({ part, done, total: this.#total });
  }

  /** Lets others have their turn if the slice is over. @throws the reason of the signal. */
  async #yieldToLoop(): Promise<void> {
    this.signal.throwIfAborted();
    if (this.#slices.isOver) await this.#slices.next();
  }

  async report(): Promise<LiveReport> {
    const { logs } = this.run.snapshot;
    for (const log of logs) await this.#checkLog(log);
    const origins = new Set(logs.map(({ origin }) => origin));
    for (const { origin } of this.run.remembered)
      if (!origins.has(origin))
        this.#found('log', null, `the log ${origin} is remembered and does not exist any more`);
    await this.#checkEvents();
    this.#progress('rows', this.#leafCount + this.#events);
    const { tables, rows } = await this.#checkRows();
    return {
      outcome: worstOf(this.#findings),
      ...{ logs: logs.length, leaves: this.#leafCount, events: this.#events, newerEvents: this.#newerEvents },
      ...{ tables, rows, findings: this.#findings, findingCount: this.#findingCount, heads: this.#heads },
    };
  }

  #found(
    part: LiveFinding['part'],
    tenant: string | null,
    detail: string,
    outcome: LiveFinding['outcome'] = 'invalid',
  ): void {
    this.#findingCount += 1;
    if (this.#findings.length < FINDINGS_MAX) this.#findings.push({ part, outcome, tenant, detail });
  }

  /** The entries must lead to the signed head and to the tiles that are served, and the head must continue older ones. */
  async #checkLog(log: SnapshotLog): Promise<void> {
    const { tenant, size } = log;
    const before = this.#findingCount;
    const { hashes, own } = await this.#readEntries(log);
    this.#leafCount += hashes.length;
    if (hashes.length < size) return;
    await this.#checkTiles(tenant, hashes);
    const head = await this.#checkHeads(log, hashes, own);
    if (head && this.#findingCount === before) this.#heads.push(head);
  }

  async #readEntries({ tenant, size }: SnapshotLog) {
    const hashes: Hash[] = [];
    const own: PlacedEntry[] = [];
    for (let from = 0; from < size; from += PAGE) {
      for (const entry of await this.parts.logs.entries(tenant, from, Math.min(size, from + PAGE))) {
        if (entry.index !== hashes.length) break;
        hashes.push(hashOfLeaf(entry.text));
        if (entry.event) this.#noteLeaf(entry.event, hashes);
        else own.push(entry);
        await this.#yieldToLoop();
      }
      const expected = Math.min(size, from + PAGE);
      this.#progress('log', this.#leafCount + hashes.length);
      if (hashes.length === expected) continue;
      this.#found('log', tenant, `entry ${hashes.length} of ${size} was removed from the log`);
      break;
    }
    return { hashes, own };
  }

  #noteLeaf({ stream, revision }: NonNullable<PlacedEntry['event']>, hashes: readonly Hash[]): void {
    const hash = hashes.at(-1);
    if (!hash) return;
    const leaves = this.#leaves.get(stream) ?? new Map<number, Leaf>();
    leaves.set(revision, { hash, index: hashes.length - 1, isFound: false });
    this.#leaves.set(stream, leaves);
  }

  async #checkTiles(tenant: TenantId, hashes: readonly Hash[]): Promise<void> {
    for await (const tile of this.#tilesOf(hashes)) {
      const bytes = await this.parts.logs.tile(tenant, tilePath(tile));
      if (bytes && Buffer.from(bytes).equals(encodeTile(tile))) continue;
      const at = tile.hashes.findIndex((hash, place) => !isAt(bytes, place, hash));
      const entry = tile.index * 256 + Math.max(0, at);
      this.#found(
        'log',
        tenant,
        tile.level === 0 ? `entry ${entry}, or its hash, was changed` : `${tilePath(tile)} was changed`,
      );
    }
  }

  /** Yields the tiles of a tree, lowest level first. */
  async *#tilesOf(leaves: readonly Hash[]): AsyncGenerator<HashTile> {
    let hashes = leaves;
    for (let level = 0; hashes.length > 0; level += 1) {
      const above: Hash[] = [];
      for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
        const part = hashes.slice(from, from + TILE_WIDTH);
        yield { level, index: from / TILE_WIDTH, width: part.length, hashes: part };
        if (part.length === TILE_WIDTH) above.push(rootOf(part));
        await this.#yieldToLoop();
      }
      hashes = above;
    }
  }

  /** Returns the hashes of all complete subtrees of a tree. */
  async #subtreesOf(hashes: readonly Hash[]): Promise<HashAt> {
    const hashAt = hashesOf(hashes);
    for (let [level, count] = [1, hashes.length >> 1]; count > 0; level += 1, count >>= 1)
      for (let index = 0; index < count; index += 1) {
        hashAt(level, index); // Kept by `hashesOf`.
        await this.#yieldToLoop();
      }
    return hashAt;
  }

  async #checkHeads(
    { tenant, origin, size, checkpoint }: SnapshotLog,
    hashes: readonly Hash[],
    own: readonly PlacedEntry[],
  ): Promise<VerifiedHead | undefined> {
    const { policy, remembered } = this.run;
    const known = remembered.find((head) => head.origin === origin);
    if (known && known.size > size)
      this.#found('log', tenant, `the log has ${size} leaves, and ${known.size} are remembered`);
    const hashAt = await this.#subtreesOf(hashes);
    const proofFrom = (old: number) => consistencyProof(old, size, hashAt).map(base64);
    const kept = await this.parts.logs.keptHeads(tenant, size);
    const isContinued = known !== undefined && known.size <= size;
    const { faults, accepted, keys } = await checkHeads(
      {
        manifest: { origin, size },
        log: {
          checkpoint,
          heads: kept.map((head) => ({ checkpoint: head.checkpoint, proof: proofFrom(head.size) })),
          ...(isContinued && { since: { size: known.size, proof: proofFrom(known.size) } }),
          entries: own,
          ...{ salt: '', contentSalts: {} },
        },
        signature: undefined,
        digest: '',
      },
      { ...(policy && { policy }), remembered: isContinued ? [known] : [] },
      () => this.#yieldToLoop(),
    );
    for (const { detail, outcome } of faults) this.#found('log', tenant, detail, outcome);
    const root = base64(rangeRoot({ from: 0, to: hashes.length }, hashAt));
    if (!accepted) return undefined;
    if (base64(accepted.checkpoint.root) !== root)
      this.#found('log', tenant, `the ${size} entries do not lead to the signed checkpoint`);
    return { origin, size, root, keys: keys.map(formatVerifierKey) };
  }

  /** Every event must have the leaf that its log has, and every leaf its event. */
  async #checkEvents(): Promise<void> {
    const stop = new AbortController();
    try {
      for await (const item of this.parts.stored.follow('start', stop.signal)) {
        if (item.kind === 'caught-up') break;
        if (item.kind === 'stored') await this.#checkEvent(item.record);
        await this.#yieldToLoop();
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#found('events', null, error.message);
      return; // Events behind it were not read.
    } finally {
      stop.abort();
    }
    for (const [stream, leaves] of this.#leaves) {
      const missing: number[] = [];
      for (const [revision, { isFound }] of leaves) {
        if (!isFound) missing.push(revision);
        await this.#yieldToLoop();
      }
      if (missing.length > 0)
        this.#found('events', tenantIn(stream) ?? null, `${eventsOf(missing, stream)} missing`);
    }
  }

  async #checkEvent(record: StoredRecord): Promise<void> {
    const { stream, revision, position } = record;
    const tenant = tenantIn(stream);
    if (tenant === undefined) return;
    const leaves = this.#leaves.get(stream);
    const leaf = leaves?.get(revision);
    if (!leaf) {
      const { position: end } = this.run.snapshot;
      if (end === 'start' || position > end) this.#newerEvents += 1;
      else
        this.#found('events', tenant, `${eventOf(revision, stream)} was added: the log has no leaf for it`);
      return;
    }
    leaf.isFound = true;
    this.#events += 1;
    this.#progress('events', this.#leafCount + this.#events);
    const before = await this.#chainBefore(tenant, stream, revision);
    const expected = leafOfEvent(record, { stream, salt: await this.#salt(tenant, stream), before });
    let text = expected;
    if (base64(hashOfLeaf(expected)) !== base64(leaf.hash)) {
      text = await this.#textOf(tenant, leaf);
      const parts = changedParts(expected, text);
      this.#found('events', tenant, `${eventOf(revision, stream)} was changed: ${parts}`);
    }
    this.#chains.set(stream, { revision, chain: chainIn(text) });
    await this.#checkTexts(record, tenant);
  }

  /** Commitments in the leaf of each stream's last event, as the log has it: a changed event does not make later ones differ. */
  readonly #chains = new Map<string, { readonly revision: number; readonly chain: Chain }>();
  async #chainBefore(tenant: TenantId, stream: StreamName, revision: number): Promise<Chain> {
    const known = this.#chains.get(stream);
    if (known?.revision === revision - 1) return known.chain;
    const leaf = this.#leaves.get(stream)?.get(revision - 1);
    return leaf ? chainIn(await this.#textOf(tenant, leaf)) : CHAIN_START;
  }

  async #textOf(tenant: TenantId, { index }: Leaf): Promise<string> {
    const [entry] = await this.parts.logs.entries(tenant, index, index + 1);
    return entry?.text ?? '';
  }

  async #checkTexts({ metadata, stream, revision }: StoredRecord, tenant: TenantId): Promise<void> {
    for (const { digest } of claimsOf(metadata)) {
      try {
        const text = await this.parts.stored.claimedText(digest);
        if (Buffer.from(sha256(text), 'base64').toString('hex') === digest) continue;
      } catch (error) {
        if (!isDamage(error)) throw error;
      }
      this.#found('events', tenant, `a text of ${eventOf(revision, stream)} was changed or removed`);
    }
  }

  readonly #salts = new Map<string, string>();
  async #salt(tenant: TenantId, stream: StreamName): Promise<string> {
    const known = this.#salts.get(stream);
    if (known !== undefined) return known;
    const salt = await this.parts.logs.salt(tenant, stream);
    this.#salts.set(stream, salt);
    return salt;
  }

  async #checkRows(): Promise<Pick<RowComparison, 'tables' | 'rows'>> {
    const { tables, rows, differences, stoppedStreams } = await this.parts.projector.compare(this.signal);
    for (const { table, key, change, columns } of differences) {
      const place = Object.entries(key)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ');
      const changed = change === 'changed' ? `changed: ${columns.join(', ')}` : change;
      const tenant = typeof key.tenant === 'string' ? key.tenant : null;
      this.#found('rows', tenant, `the row of ${table} with ${place} was ${changed}`);
    }
    if (stoppedStreams > 0)
      this.#found('rows', null, `rows of ${stoppedStreams} stopped streams may lack events`, 'incomplete');
    return { tables, rows };
  }
}

/** Damage that a checksum or a digest has shown. */
const isDamage = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'corrupt-event';

const HASH_BYTES = 32;
const isAt = (bytes: Uint8Array | undefined, place: number, hash: Hash): boolean =>
  bytes !== undefined &&
  Buffer.from(bytes.subarray(place * HASH_BYTES, (place + 1) * HASH_BYTES)).equals(hash);

const streamText = (stream: string): string => {
  const session = sessionOf(stream)?.session;
  return session === undefined ? `stream ${stream}` : `session ${session}`;
};
const eventOf = (revision: number, stream: string): string => `event ${revision} of ${streamText(stream)}`;
const eventsOf = (revisions: readonly number[], stream: string): string =>
  revisions.length === 1
    ? `${eventOf(revisions[0] ?? 0, stream)} is`
    : `${revisions.length} events of ${streamText(stream)}, the first of them ${revisions.reduce((one, other) => Math.min(one, other))}, are`;

/** The lines of a leaf. */
const LEAF_PARTS = ['form', 'stream', 'revision', 'ID', 'type', 'time', 'public part', 'content'] as const;

const changedParts = (one: string, other: string): string => {
  const [ours, theirs] = [one.split('\n'), other.split('\n')];
  const changed = LEAF_PARTS.filter((_, at) => ours[at] !== theirs[at]);
  return changed.length > 0 ? changed.join(', ') : 'its leaf';
};
