import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sessionNotFound } from '@app/domain';
import { AppError, erasuresStream, Slices, type StreamName } from '@app/kernel';
import type { LogHead, RecordInStream } from '@app/ports';
import {
  BUNDLE_FORM,
  blobLine,
  chainIn,
  claimsOf,
  contentLine,
  destroyedIn,
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
  siblingRanges,
  signatureLine,
  signedText,
} from '@app/proof';
import { base64, consistencyRanges, type LeafRange } from '@app/tlog';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';

export type ProofOptions = {
  /** Content in clear, or left sealed. */
  readonly content: Manifest['content'];
  /** Adds a proof that the log continues its tree of this size. */
  readonly since?: number;
  /** The revision that the bundle has at least; the newest one by default. */
  readonly revision?: number;
};

/** Exports the proof bundle of a session as the lines of its file. */
export class ExportProof extends QueryOnSession<AsyncIterable<string>, ProofOptions> {}

/** Time that an export waits for the log to contain the session's newest event. */
const WAIT_MS = 15_000;
/** Time that it then waits for the quorum of witnesses, while they answer. */
const WITNESSES_WAIT_MS = 5_000;
/** Milliseconds before the log is read again; they double, since many readers of a log that is behind keep it behind. */
const LOOK_AGAIN_AFTER_MS = 50;
const LOOK_AGAIN_AFTER_MAX_MS = 400;
const ERASURE_PAUSE_MS = 250;

/** The limits of a proof, which the bundle states. */
const NOT_PROVEN = [
  'that the service recorded all that its clients have sent or received',
  'that the times of events, which the service gives, are right',
  'that the session has no events behind the tree of the checkpoint',
  'that the log shows everyone the same tree, unless witnesses have cosigned the checkpoint or you compare it with others',
];

@HandlesQuery(ExportProof)
export class ExportProofHandler extends Handler<
  ExportProof,
  'logs' | 'stored' | 'engine',
  { readonly sessions: Pick<SessionStore, 'load'> }
> {
  /** @throws {AppError} `session-not-found`, `position-ahead`, `log-behind`, `log-not-found`, `erasure-in-progress`. */
  async execute({ ref, input: options }: ExportProof): Promise<AsyncIterable<string>> {
    const stream = streamOf(ref);
    const newest = options.revision ?? (await this.parts.stored.newest(stream));
    if (newest === undefined) throw sessionNotFound(ref.session);
    for (const until = performance.now() + WAIT_MS; ; await pause(ERASURE_PAUSE_MS)) {
      const head = await this.#headWith(ref, stream, newest, { since: options.since ?? 0, until });
      const opening = await this.#opening(ref, stream, head, options);
      if (opening) return this.#lines(stream, head, opening);
      if (performance.now() > until) throw beingErased();
    }
  }

  /** Returns a head whose tree has the event, and which witnesses have cosigned if they do so soon. */
  async #headWith(
    { tenant }: SessionRef,
    stream: StreamName,
    revision: number,
    { since, until }: { readonly since: number; readonly until: number },
  ): Promise<LogHead> {
    let witnessesUntil: number | undefined;
    for (let ms = LOOK_AGAIN_AFTER_MS; ; await pause(ms), ms = Math.min(2 * ms, LOOK_AGAIN_AFTER_MAX_MS)) {
      const head = await this.parts.logs.head(tenant);
      const entry = head && (await this.parts.logs.entryOf(tenant, stream, revision, head.size));
      if (head && entry) {
        witnessesUntil ??= performance.now() + WITNESSES_WAIT_MS;
        const witnessed = await this.parts.logs.witnessedHead(tenant, Math.max(entry.index, since - 1));
        if (witnessed !== 'pending') return witnessed ?? head;
        if (performance.now() > witnessesUntil) return head;
      } else if (performance.now() > until) throw logBehind();
    }
  }

  /** Returns all that is before the events; `undefined` while content is erased whose receipt the tree does not have yet. */
  async #opening(
    ref: SessionRef,
    stream: StreamName,
    head: LogHead,
    options: ProofOptions,
  ): Promise<Opening | undefined> {
    const { tenant } = ref;
    requireSize(head, options.since);
    const last = await this.parts.logs.lastEntry(tenant, stream, head.size);
    if (!last) throw logBehind();
    const count = last.revision + 1;
    const { content } = options;
    const { salts, erased } = content === 'clear' ? await this.#saltsOf(stream, count) : SEALED;
    const receipts = await this.#receiptsFor(ref, head.size, erased);
    const destroyed = destroyedIn(receipts);
    if (erased.some((key) => !isErased(key, destroyed))) return undefined;
    const entries = await this.parts.logs.ownEntries(tenant, head.size);
    const indices = [last, ...entries, ...receipts].map(({ index }) => index).sort((a, b) => a - b);
    const { siblings, heads, since } = await this.#hashes(ref, head, { indices, since: options.since });
    const log: LogSection = {
      checkpoint: head.checkpoint,
      heads,
      ...(since && { since }),
      entries: entries.map(({ index, text }) => ({ index, text })),
      salt: await this.parts.logs.salt(tenant, stream),
      contentSalts: Object.fromEntries(salts),
    };
    const isAllClear = content === 'clear' && erased.length === 0;
    const inclusion: InclusionSection = {
      index: last.index,
      ...(isAllClear && { sealed: chainIn(last.text).sealed }),
      siblings,
    };
    const sections = [await this.#manifest(ref, stream, head, count, options), log, inclusion];
    return { lines: sections.map(sectionLine), ...{ count, salts, receipts, content, isAllClear } };
  }

  async *#lines(
    stream: StreamName,
    head: LogHead,
    { lines, count, salts, receipts, content, isAllClear }: Opening,
  ): AsyncGenerator<string> {
    const hash = createHash('sha256');
    const signed = (line: string): string => {
      hash.update(line);
      return line;
    };
    for (const line of lines) yield signed(line);
    let key: string | undefined;
    for await (const record of this.#events(stream, count)) {
      const readable = content === 'clear' ? salts : undefined;
      const event = await this.#eventOf(record, { salts: readable, isAllClear }, key);
      ({ key } = event);
      yield signed(event.lines);
    }
    for (const receipt of receipts) yield signed(receiptLine(receipt));
    yield signatureLine(head.sign(signedText(head.origin, hash.digest('base64'))));
  }

  async *#events(stream: StreamName, count: number): AsyncIterable<RecordInStream> {
    let left = count;
    for await (const record of this.parts.stored.read(stream)) {
      if (left === 0) return;
      left -= 1;
      yield record;
    }
  }

  async #manifest(
    ref: SessionRef,
    stream: StreamName,
    head: LogHead,
    count: number,
    { content }: ProofOptions,
  ): Promise<Manifest> {
    const { state } = await this.parts.sessions.load(ref);
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
      engine: this.parts.engine.version,
      exportedAt: new Date().toISOString(),
      profile: profile?.name ?? '',
      prompts: profile ? [profile.prompt] : [],
      notProven: NOT_PROVEN,
    };
  }

  /**
   * Returns the hashes of a bundle: siblings of its leaves, and the proofs that the head continues the one of size `since` and
   * those that an old key has signed last. A reader who trusts the first key needs all of the latter: each names the next key.
   */
  async #hashes(
    { tenant }: SessionRef,
    { size }: LogHead,
    { indices, since }: { readonly indices: readonly number[]; readonly since: number | undefined },
  ): Promise<Pick<LogSection, 'heads' | 'since'> & Pick<InclusionSection, 'siblings'>> {
    const kept = await this.parts.logs.keptHeads(tenant, size);
    const slices = new Slices();
    const older: (readonly LeafRange[])[] = [];
    for (const oldSize of [since ?? 0, ...kept.map((head) => head.size)]) {
      older.push(consistencyRanges(oldSize, size));
      if (slices.isOver) await slices.next();
    }
    const [siblings, sinceProof, ...proofs] = await this.parts.logs.proofs(
      tenant,
      [siblingRanges(indices, size), ...older],
      size,
    );
    const heads: LogSection['heads'][number][] = [];
    for (const [at, { checkpoint }] of kept.entries()) {
      heads.push({ checkpoint, proof: textsOf(proofs[at]) });
      if (slices.isOver) await slices.next();
    }
    return {
      siblings: textsOf(siblings),
      heads,
      ...(since !== undefined && { since: { size: since, proof: textsOf(sinceProof) } }),
    };
  }

  /**
   * Returns the lines of an event and the key of its content in clear.
   *
   * @param salts of the keys whose content is in clear; `undefined` to leave all of it sealed.
   * @param isAllClear whether the bundle has no sealed content.
   */
  async #eventOf(
    record: RecordInStream,
    {
      salts,
      isAllClear,
    }: { readonly salts: ReadonlyMap<string, string> | undefined; readonly isAllClear: boolean },
    keyBefore: string | undefined,
  ): Promise<{ readonly lines: string; readonly key: string | undefined }> {
    let [lines, key] = [`${publicText(record)}\n`, keyBefore];
    for (const sealed of await this.parts.stored.sealedTexts(record)) {
      if (!salts?.has(sealingKeysOf(sealed) ?? '')) lines += contentLine({ kind: 'sealed', text: sealed });
      else {
        const opened = await this.parts.stored.openedContent(record, sealed);
        if (!opened) throw beingErased();
        const digest = isAllClear ? undefined : { sealed: sha256(sealed) };
        lines += contentLine({ kind: 'clear', key: opened.key, text: opened.text, ...digest }, key);
        ({ key } = opened);
      }
    }
    for (const claim of claimsOf(record.metadata))
      if (!isOfSealed(claim))
        lines += blobLine(claim.digest, await this.parts.stored.claimedText(claim.digest));
    return { lines, key };
  }

  /** Returns the salts of the keys that the content of the events needs, and the keys that are gone. */
  async #saltsOf(stream: StreamName, count: number): Promise<Salts> {
    const salts = new Map<string, string>();
    const erased = new Set<string>();
    for await (const record of this.#events(stream, count))
      for (const sealed of await this.parts.stored.sealedTexts(record)) {
        const key = sealingKeysOf(sealed);
        if (key === undefined || salts.has(key) || erased.has(key)) continue;
        const opened = await this.parts.stored.openedContent(record, sealed);
        if (opened) salts.set(key, opened.salt);
        else erased.add(key);
      }
    return { salts, erased: [...erased] };
  }

  /** Returns the erasures of these keys, as far as the log has them. */
  async #receiptsFor(
    { tenant }: SessionRef,
    size: number,
    keys: readonly string[],
  ): Promise<readonly Omit<Receipt, 'line'>[]> {
    if (keys.length === 0) return [];
    const stream = erasuresStream(tenant);
    const receipts: Omit<Receipt, 'line'>[] = [];
    for await (const event of this.parts.stored.read(stream)) {
      const destroyed = destroyedIn([{ event }]);
      if (!keys.some((key) => isErased(key, destroyed))) continue;
      const entry = await this.parts.logs.entryOf(tenant, stream, event.revision, size);
      if (!entry) continue;
      const before =
        event.revision === 0
          ? undefined
          : await this.parts.logs.entryOf(tenant, stream, event.revision - 1, size);
      const salt = await this.parts.logs.salt(tenant, stream);
      receipts.push({
        index: entry.index,
        stream,
        salt,
        event,
        text: publicText(event),
        previous: before ? chainIn(before.text).open : null,
      });
    }
    return receipts;
  }
}

/** Salts by key, and keys that are gone. */
type Salts = { readonly salts: ReadonlyMap<string, string>; readonly erased: readonly string[] };
const SEALED: Salts = { salts: new Map(), erased: [] };

/** The head of a bundle, and the values that the following lines need. */
type Opening = Pick<Salts, 'salts'> & {
  readonly lines: readonly string[];
  /** Number of events. */
  readonly count: number;
  readonly receipts: readonly Omit<Receipt, 'line'>[];
  readonly content: Manifest['content'];
  /** Whether no content is sealed. */
  readonly isAllClear: boolean;
};

const textsOf = (hashes: readonly Uint8Array[] = []): readonly string[] => hashes.map(base64);

/** @throws {AppError} `position-ahead`. */
const requireSize = ({ size }: LogHead, since = 0): void => {
  if (since > size)
    throw new AppError('position-ahead', `the log has ${size} leaves: give a size up to it, not ${since}`);
};

const logBehind = (): AppError =>
  new AppError(
    'log-behind',
    'the transparency log does not have the newest events yet: try again, and check that a process with the role projector runs',
  );

const beingErased = (): AppError =>
  new AppError(
    'erasure-in-progress',
    'content of the session is being erased, and the receipt is not in the transparency log yet: try again, or export it sealed',
  );
