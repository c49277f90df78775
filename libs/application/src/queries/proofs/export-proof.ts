import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, erasuresStream, type StreamName } from '@app/kernel';
import type { LogHead, RecordInStream, StoredEvents, TransparencyLogs } from '@app/ports';
import {
  BUNDLE_FORM,
  blobLine,
  claimsOf,
  contentLine,
  erasedKeys,
  type InclusionSection,
  isErased,
  isOfSealed,
  type LogSection,
  type Manifest,
  publicText,
  type Receipt,
  receiptLine,
  sealingKeysOf,
  sectionLine,
  sha256,
  signatureLine,
  signedText,
} from '@app/proof';
import { base64 } from '@app/tlog';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import { pickDistance } from './pick-distance.js';

export type ProofOptions = {
  /** Content in clear, or left sealed. */
  readonly content: Manifest['content'];
  /** Adds a proof that the log continues its tree of this size. */
  readonly since?: number;
};

/** Exports the proof bundle of a session as the lines of its file. */
export class ExportProof extends Query<AsyncIterable<string>> {
  constructor(
    readonly ref: SessionRef,
    readonly options: ProofOptions,
  ) {
    super();
  }
}

/** How long an export waits for the log to contain the session's newest event. */
const WAIT_MS = 15_000;
const LOOK_AGAIN_AFTER_MS = 50;

/** What a bundle does not prove, as it says itself. */
const NOT_PROVEN = [
  'that the service recorded all that its clients have sent or received',
  'that the times of events, which the service gives, are right',
  'that the session has no events behind the tree of the checkpoint',
  'that the log shows everyone the same tree, unless witnesses have cosigned the checkpoint or you compare it with others',
];

@QueryHandler(ExportProof)
export class ExportProofHandler implements IQueryHandler<ExportProof> {
  constructor(
    private readonly logs: TransparencyLogs,
    private readonly stored: StoredEvents,
    private readonly sessions: Pick<SessionStore, 'load'>,
    /** Version of the service. */
    private readonly engine: { readonly version: string },
  ) {}

  /** @throws {AppError} `session-not-found`, `log-behind`, `log-not-found`. */
  async execute({ ref, options }: ExportProof): Promise<AsyncIterable<string>> {
    const stream = streamOf(ref);
    const newest = await this.stored.newest(stream);
    if (newest === undefined) {
      const message = `there is no session "${ref.session}": \`palimpsest sessions\` lists those there are`;
      throw new AppError('session-not-found', message);
    }
    const head = await this.#headWith(ref, stream, newest);
    const { indexes } = await this.logs.places(ref.tenant, stream, head.size);
    return this.#lines(ref, stream, head, indexes, options);
  }

  /** Returns the newest head, once its tree has the event, and the receipts of all erasures until now. */
  async #headWith({ tenant }: SessionRef, stream: StreamName, revision: number): Promise<LogHead> {
    const ledger = erasuresStream(tenant);
    const receipt = await this.stored.newest(ledger);
    for (const until = performance.now() + WAIT_MS; ; await pause(LOOK_AGAIN_AFTER_MS)) {
      const head = await this.logs.head(tenant);
      const has = async (of: StreamName, newest: number): Promise<boolean> =>
        head !== undefined && (await this.logs.entryOf(tenant, of, newest, head.size)) !== undefined;
      if (head && (await has(stream, revision)) && (receipt === undefined || (await has(ledger, receipt))))
        return head;
      if (performance.now() > until)
        throw new AppError(
          'log-behind',
          'the transparency log does not have the newest events yet: try again, and check that a process with the role projector runs',
        );
    }
  }

  async *#lines(
    ref: SessionRef,
    stream: StreamName,
    head: LogHead,
    indexes: readonly number[],
    options: ProofOptions,
  ): AsyncGenerator<string> {
    const { tenant } = ref;
    const hash = createHash('sha256');
    const signed = (line: string): string => {
      hash.update(line);
      return line;
    };
    const keys = await this.#keysOf(stream, indexes.length);
    const salts = options.content === 'clear' ? await this.#saltsOf(keys) : new Map<string, string>();
    const erased = options.content === 'clear' ? [...keys.keys()].filter((key) => !salts.has(key)) : [];
    const receipts = await this.#receiptsFor(ref, head.size, erased);
    const entries = await this.logs.ownEntries(tenant, head.size);
    yield signed(sectionLine(await this.#manifest(ref, stream, head, indexes.length, options)));
    yield signed(
      sectionLine({
        checkpoint: head.checkpoint,
        heads: await this.#olderHeads(ref, head),
        ...(options.since !== undefined && { since: await this.#since(ref, head, options.since) }),
        entries: entries.map(({ index, text }) => ({ index, text })),
        salt: await this.logs.salt(tenant, stream),
        contentSalts: Object.fromEntries(salts),
      } satisfies LogSection),
    );
    const others = [...entries, ...receipts].map(({ index }) => index);
    yield signed(sectionLine(await this.#inclusion(ref, head, indexes, others)));
    let left = indexes.length;
    let key: string | undefined;
    for await (const record of this.stored.read(stream)) {
      if (left === 0) break;
      left -= 1;
      const { lines, key: named } = await this.#eventOf(record, options.content, key);
      key = named;
      yield signed(lines);
    }
    for (const receipt of receipts) yield signed(receiptLine(receipt));
    const text = signedText(head.origin, hash.digest('base64'));
    yield signatureLine(await this.logs.sign(tenant, text));
  }

  async #manifest(
    ref: SessionRef,
    stream: StreamName,
    head: LogHead,
    count: number,
    { content }: ProofOptions,
  ): Promise<Manifest> {
    const { state } = await this.sessions.load(ref);
    const profile = state.status === 'open' ? state.profile : undefined;
    return {
      form: BUNDLE_FORM,
      origin: head.origin,
      tenant: ref.tenant,
      session: ref.session,
      stream,
      events: { first: 0, last: count - 1, count },
      order: 'revision',
      content,
      size: head.size,
      engine: this.engine.version,
      exportedAt: new Date().toISOString(),
      profile: profile?.name ?? '',
      prompts: profile ? [profile.prompt] : [],
      notProven: NOT_PROVEN,
    };
  }

  /** The heads that an old key has signed last, with proofs that this head continues them. */
  async #olderHeads({ tenant }: SessionRef, { size }: LogHead): Promise<LogSection['heads']> {
    const heads: LogSection['heads'][number][] = [];
    for (const kept of await this.logs.keptHeads(tenant, size)) {
      const proof = (await this.logs.consistency(tenant, kept.size, size)).map(base64);
      heads.push({ checkpoint: kept.checkpoint, proof });
    }
    return heads;
  }

  async #since(
    { tenant }: SessionRef,
    { size }: LogHead,
    since: number,
  ): Promise<NonNullable<LogSection['since']>> {
    if (since > size)
      throw new AppError('log-behind', `the log has ${size} leaves: give a size up to it, not ${since}`);
    return { size: since, proof: (await this.logs.consistency(tenant, since, size)).map(base64) };
  }

  async #inclusion(
    { tenant }: SessionRef,
    { size }: LogHead,
    indexes: readonly number[],
    others: readonly number[],
  ): Promise<InclusionSection> {
    const every = pickDistance(indexes, others, size);
    const placed = indexes.filter((_, at) => (indexes.length - 1 - at) % every === 0);
    const all = [...placed, ...others].sort((a, b) => a - b);
    return {
      every,
      indexes: placed.map((index, at) => index - (placed[at - 1] ?? 0)),
      siblings: (await this.logs.siblings(tenant, all, size)).map(base64),
    };
  }

  /** Returns the lines of an event and the key of its content in clear. */
  async #eventOf(
    record: RecordInStream,
    form: Manifest['content'],
    keyBefore: string | undefined,
  ): Promise<{ readonly lines: string; readonly key: string | undefined }> {
    let [lines, key] = [`${publicText(record)}\n`, keyBefore];
    for (const sealed of await this.stored.sealedTexts(record)) {
      const opened = form === 'clear' ? await this.stored.openedContent(record, sealed) : undefined;
      if (!opened) lines += contentLine({ kind: 'sealed', text: sealed });
      else {
        lines += contentLine(
          { kind: 'clear', key: opened.key, sealed: sha256(sealed), text: opened.text },
          key,
        );
        ({ key } = opened);
      }
    }
    for (const claim of claimsOf(record.metadata))
      if (!isOfSealed(claim)) lines += blobLine(claim.digest, await this.stored.claimedText(claim.digest));
    return { lines, key };
  }

  /** Returns sealed content for each key that the session's content needs, and its event. */
  async #keysOf(stream: StreamName, count: number): Promise<ReadonlyMap<string, Sample>> {
    const keys = new Map<string, Sample>();
    let left = count;
    for await (const record of this.stored.read(stream)) {
      if (left === 0) break;
      left -= 1;
      for (const sealed of await this.stored.sealedTexts(record)) {
        const key = sealingKeysOf(sealed);
        if (key !== undefined && !keys.has(key)) keys.set(key, { record, sealed });
      }
    }
    return keys;
  }

  /** Returns the salts of the keys that still exist. */
  async #saltsOf(keys: ReadonlyMap<string, Sample>): Promise<ReadonlyMap<string, string>> {
    const salts = new Map<string, string>();
    for (const { record, sealed } of keys.values()) {
      const opened = await this.stored.openedContent(record, sealed);
      if (opened) salts.set(opened.key, opened.salt);
    }
    return salts;
  }

  /** Returns the erasures of these keys, as far as the log has them. */
  async #receiptsFor(
    { tenant }: SessionRef,
    size: number,
    keys: readonly string[],
  ): Promise<readonly Omit<Receipt, 'line' | 'event'>[]> {
    if (keys.length === 0) return [];
    const stream = erasuresStream(tenant);
    const receipts: Omit<Receipt, 'line' | 'event'>[] = [];
    for await (const event of this.stored.read(stream)) {
      const destroyed = erasedKeys({ event });
      const erased = destroyed === 'all' ? destroyed : new Set(destroyed);
      if (!keys.some((key) => isErased(key, erased))) continue;
      const entry = await this.logs.entryOf(tenant, stream, event.revision, size);
      if (!entry) continue;
      const previous = entry.text.split('\n')[PREVIOUS_LINE] ?? '-';
      const salt = await this.logs.salt(tenant, stream);
      receipts.push({
        ...{ index: entry.index, stream, salt, text: publicText(event) },
        previous: previous === '-' ? null : previous,
      });
    }
    return receipts;
  }
}

type Sample = { readonly record: RecordInStream; readonly sealed: string };

/** Of a leaf, from 0. */
const PREVIOUS_LINE = 8;
