import { createHash } from 'node:crypto';
import type { JsonObject } from '@app/kernel';
import {
  BUNDLE_FORM,
  CHAIN_START,
  chainIn,
  contentDigest,
  contentLine,
  contentSalt,
  formatLogEntry,
  hashOfLeaf,
  type InclusionSection,
  type LogSection,
  leafOfEvent,
  type Manifest,
  publicText,
  receiptLine,
  type SealedEvent,
  sectionLine,
  sha256,
  siblingHashes,
  signatureLine,
  signedText,
  streamSalt,
} from '@app/proof';
import {
  base64,
  consistencyProof,
  cosign,
  formatCheckpoint,
  formatNote,
  formatVerifierKey,
  hashesOf,
  type NoteSignature,
  type SignerKey,
  signerKey,
  signText,
} from '@app/tlog';

/** Random choices that a seed repeats. */
export type Choices = {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
};

type Entry = { readonly text: string; readonly stream?: string; readonly revision?: number };
type Content = { readonly key: string; readonly text: string; readonly sealed: string };
type Recorded = { readonly event: SealedEvent; readonly contents: readonly Content[] };

/** A bundle in its parts, each of which an attacker can replace before it is signed. */
export type BundleParts = {
  readonly manifest: Manifest;
  readonly log: LogSection;
  readonly inclusion: InclusionSection;
  /** An event with its content, each as the lines of the file. */
  readonly events: readonly string[];
  readonly receipts: readonly string[];
  readonly signer: SignerKey;
};

/** Returns the bytes of a file, with a signature over its content. */
export const writeBundle = ({ manifest, log, inclusion, events, receipts, signer }: BundleParts): string => {
  const body = [manifest, log, inclusion].map(sectionLine).join('') + events.join('') + receipts.join('');
  const text = signedText(manifest.origin, createHash('sha256').update(body).digest('base64'));
  return body + signatureLine(formatNote({ text, signatures: [signText(text, signer)] }));
};

/** A transparency log in memory with sessions of one tenant, as the service would have made it. */
export class SampleLog {
  readonly origin: string;
  readonly witness: SignerKey;
  readonly entries: Entry[] = [];
  readonly #sessions = new Map<string, Recorded[]>();
  readonly #erased = new Set<string>();
  readonly #heads: { readonly size: number; readonly checkpoint: string }[] = [];
  readonly #blinding: Uint8Array;
  #signer: SignerKey;
  #time = Date.parse('2026-11-24T00:00:00.000Z');
  #erasedAll = 0;

  constructor(
    readonly tenant: string,
    private readonly random: Choices,
  ) {
    this.origin = `palimpsest-sample/${tenant}`;
    this.#signer = this.#newSigner();
    this.#blinding = this.#bytes(32);
    this.witness = signerKey('witness.example', 'ed25519-cosignature', this.#bytes(32));
    const policy = `log ${formatVerifierKey(this.#signer)}\nquorum none\n`;
    this.entries.push({ text: formatLogEntry({ kind: 'log', policy }) });
  }

  /** The policy of a reader who got the first key from the operator, and trusts a witness. */
  policy(quorum: 'witness' | 'none' = 'none'): string {
    const first = this.entries[0]?.text.split('\n')[1];
    return `${first}\nwitness witness ${formatVerifierKey(this.witness)}\nquorum ${quorum}\n`;
  }

  /** A witness with a key for ML-DSA-44. */
  get quantumWitness(): SignerKey {
    this.#quantumWitness ??= signerKey('quantum.example', 'ml-dsa-44-cosignature', this.#bytes(32));
    return this.#quantumWitness;
  }
  #quantumWitness: SignerKey | undefined;

  /** The second key of the log, for ML-DSA-44. */
  get second(): SignerKey {
    this.#second ??= signerKey(this.origin, 'ml-dsa-44-cosignature', this.#bytes(32));
    return this.#second;
  }
  #second: SignerKey | undefined;

  /** Returns the policy of a reader who trusts both witnesses, and demands so many of them; `key` is the log's. */
  policyOfTwo(demanded: 'any' | 'all', key?: SignerKey): string {
    const first = key ? `log ${formatVerifierKey(key)}` : this.entries[0]?.text.split('\n')[1];
    const witnesses = [this.witness, this.quantumWitness].map(
      (witness) => `witness ${witness.name} ${formatVerifierKey(witness)}\n`,
    );
    const names = `${this.witness.name} ${this.quantumWitness.name}`;
    return `${first}\n${witnesses.join('')}group both ${demanded} ${names}\nquorum both\n`;
  }

  /** Records an event with up to two contents of different keys. */
  append(session: string, claims?: JsonObject[]): void {
    const stream = `session-${this.tenant}.${session}`;
    const own = this.#sessions.get(session) ?? [];
    const id = this.#uuid();
    const keys = [
      `${this.tenant}-${session}-key-${this.#erasedAll}000000`.slice(0, 16),
      `${session}-subject-${this.#erasedAll}0000000`.slice(0, 16),
    ];
    const contents = keys.slice(0, this.random.below(3)).map((key, at): Content => {
      const text = JSON.stringify([{ at: ['text', at], value: `said ${this.random.below(1_000_000)} „ü“` }]);
      const name = at === 0 ? key : keys.join('~');
      return { key: name, text, sealed: `v1.${name}.${Buffer.from(this.#bytes(48)).toString('base64')}` };
    });
    const digests = contents.map(({ key, text }) => contentDigest(saltOf(key), id, text));
    const sealed = contents.map((content) => content.sealed);
    const single = contents.length === 1;
    const data: JsonObject = {
      note: this.random.below(1_000),
      ...(contents.length > 0 && {
        contentDigest: single ? (digests[0] ?? null) : digests,
        sealed: single ? (sealed[0] ?? null) : sealed,
      }),
    };
    const event = this.#event(stream, own.length, { id, type: 'Noted', data, ...(claims && { claims }) });
    this.#sessions.set(session, [...own, { event, contents }]);
  }

  /** Destroys a key, and records the receipt. */
  erase(key: string): void {
    this.#erased.add(key);
    this.#receipt({ target: { scope: 'subject' }, keys: [key] });
  }

  /** Destroys all keys that there are; later content has new ones. */
  eraseAll(): void {
    for (const session of this.#sessions.keys())
      for (const key of this.keysOf(session)) this.#erased.add(key);
    this.#erasedAll += 1;
    this.#receipt({ target: { scope: 'tenant' }, keys: [] });
  }

  #receipt(data: JsonObject): void {
    const revision = this.entries.filter(({ stream }) => stream === this.#erasures).length;
    this.#event(this.#erasures, revision, { id: this.#uuid(), type: 'ErasureCompleted', data });
  }

  /** The keys that content of a session was sealed with. */
  keysOf(session: string): readonly string[] {
    const contents = (this.#sessions.get(session) ?? []).flatMap((recorded) => recorded.contents);
    return [...new Set(contents.flatMap(({ key }) => key.split('~')))];
  }

  /** Lets this number of minutes pass. */
  wait(minutes: number): void {
    this.#time += minutes * 60_000;
  }

  rotate(): void {
    const next = this.#newSigner();
    this.entries.push({ text: formatLogEntry({ kind: 'key', verifierKeys: [formatVerifierKey(next)] }) });
    this.#heads.push({ size: this.entries.length, checkpoint: this.checkpoint([this.#signer, next]) });
    this.#signer = next;
  }

  /** The newest head, signed and cosigned. */
  checkpoint(
    signers: readonly SignerKey[] = [this.#signer],
    root = this.root(),
    witnesses: readonly SignerKey[] = [this.witness],
  ): string {
    const text = formatCheckpoint({ origin: this.origin, size: this.entries.length, root });
    return formatNote({ text, signatures: [...signers, ...witnesses].map((key) => signatureOf(text, key)) });
  }

  /** Returns a bundle's parts with a checkpoint that these keys have signed beside the log's own one. */
  cosignedParts(session: string, ...others: readonly SignerKey[]): BundleParts {
    const parts = this.parts(session);
    const checkpoint = this.checkpoint([this.#signer], this.root(), others);
    return { ...parts, log: { ...parts.log, checkpoint } };
  }

  root(): Uint8Array {
    const hashes = this.entries.map(({ text }) => hashOfLeaf(text));
    return siblingHashes([], hashes.length, hashesOf(hashes))[0] ?? new Uint8Array(32);
  }

  parts(session: string, content: Manifest['content'] = 'clear'): BundleParts {
    const stream = `session-${this.tenant}.${session}`;
    const recorded = this.#sessions.get(session) ?? [];
    const size = this.entries.length;
    const hashAt = hashesOf(this.entries.map(({ text }) => hashOfLeaf(text)));
    const index = this.entries.findLastIndex(({ stream: of }) => of === stream);
    const receipts = content === 'clear' ? this.#placesOf(({ stream: of }) => of === this.#erasures) : [];
    const about = this.#placesOf(({ stream: of }) => of === undefined);
    const all = [index, ...receipts, ...about].sort((a, b) => a - b);
    const keys = [...new Set(recorded.flatMap(({ contents }) => contents.map(({ key }) => key)))];
    const readable = content === 'clear' ? keys.filter((key) => !this.#isErased(key)) : [];
    const isAllClear = content === 'clear' && readable.length === keys.length;
    return {
      manifest: {
        form: BUNDLE_FORM,
        ...{ origin: this.origin, tenant: this.tenant, session, stream },
        events: { first: 0, last: recorded.length - 1, count: recorded.length },
        ...{ order: 'revision', content, size, engine: 'sample', exportedAt: '2026-11-24T00:00:00.000Z' },
        ...{ profile: 'core', prompts: ['default'], notProven: ['anything else'] },
      },
      log: {
        checkpoint: this.checkpoint(),
        heads: this.#heads.map((head) => ({
          checkpoint: head.checkpoint,
          proof: consistencyProof(head.size, size, hashAt).map(base64),
        })),
        entries: about.map((index) => ({ index, text: this.entries[index]?.text ?? '' })),
        salt: streamSalt(this.#blinding, stream),
        contentSalts: Object.fromEntries(readable.map((key) => [key, saltOf(key)])),
      },
      inclusion: {
        index,
        ...(isAllClear && { sealed: chainIn(this.entries[index]?.text ?? '').sealed }),
        siblings: siblingHashes(all, size, hashAt).map(base64),
      },
      events: this.#eventLines(recorded, new Set(readable), isAllClear),
      receipts: receipts.map((index) => this.#receiptLine(index)),
      signer: this.#signer,
    };
  }

  #eventLines(
    recorded: readonly Recorded[],
    readable: ReadonlySet<string>,
    isAllClear: boolean,
  ): readonly string[] {
    let keyBefore: string | undefined;
    return recorded.map(({ event, contents }) => {
      let lines = `${publicText(event)}\n`;
      for (const { key, sealed, text } of contents) {
        if (!readable.has(key)) lines += contentLine({ kind: 'sealed', text: sealed });
        else {
          const digest = isAllClear ? undefined : { sealed: sha256(sealed) };
          lines += contentLine({ kind: 'clear', key, text, ...digest }, keyBefore);
          keyBefore = key;
        }
      }
      return lines;
    });
  }

  #receiptLine(index: number): string {
    const revision = this.entries[index]?.revision ?? 0;
    const event = this.#receipts[revision];
    const before = this.entries.find(
      ({ stream, revision: of }) => stream === this.#erasures && of === revision - 1,
    );
    return receiptLine({
      ...{ index, stream: this.#erasures, salt: streamSalt(this.#blinding, this.#erasures) },
      previous: before ? chainIn(before.text).open : null,
      text: event ? publicText(event) : '',
    });
  }

  readonly #receipts: SealedEvent[] = [];

  #event(
    stream: string,
    revision: number,
    {
      id,
      type,
      data,
      claims,
    }: Pick<SealedEvent, 'id' | 'type' | 'data'> & { readonly claims?: JsonObject[] },
  ): SealedEvent {
    const metadata = {
      ...(claims && { claims }),
      // Clocks of several processes differ.
      recordedAt: new Date(this.#time + this.random.below(60) * 1_000).toISOString(),
    };
    const event = { id, revision, type, data, metadata };
    const previous = this.entries.findLast((entry) => entry.stream === stream);
    const before = previous ? chainIn(previous.text) : CHAIN_START;
    const salt = streamSalt(this.#blinding, stream);
    this.entries.push({ text: leafOfEvent(event, { stream, salt, before }), stream, revision });
    if (stream === this.#erasures) this.#receipts.push(event);
    return event;
  }

  #placesOf(wanted: (entry: Entry) => boolean): number[] {
    return this.entries.flatMap((entry, index) => (wanted(entry) ? [index] : []));
  }

  #isErased(keys: string): boolean {
    return keys.split('~').some((key) => this.#erased.has(key));
  }

  get #erasures(): string {
    return `erasures-${this.tenant}`;
  }

  #newSigner(): SignerKey {
    return signerKey(this.origin, 'ed25519', this.#bytes(32));
  }

  #bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.random.below(256));
  }

  #uuid(): string {
    const hex = Buffer.from(this.#bytes(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}

/** The salt of content of a key, whose bytes are its name here. */
const saltOf = (key: string): string => contentSalt(Buffer.from(key));

const signatureOf = (text: string, key: SignerKey): NoteSignature =>
  key.type === 'ed25519' ? signText(text, key) : cosign(text, key, 1_700_000_000);
