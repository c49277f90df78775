import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/*
 * The other side of the protocols of C2SP, written from the texts of signed-note, tlog-checkpoint, tlog-cosignature and
 * tlog-witness: it imports nothing of this project.
 */

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Types of signatures: a log's, and a witness' cosignature with a time. */
const ED25519 = 0x01;
const COSIGNATURE = 0x04;
const DER = { private: '302e020100300506032b657004220420', public: '302a300506032b6570032100' };

type Peer = { readonly name: string; readonly id: Buffer; readonly vkey: string };
export type Signer = Peer & { readonly key: KeyObject; readonly type: number };
type Verifier = Peer & { readonly key: KeyObject; readonly type: number };

/** Returns the key of a log (`log`) or a witness, from a seed of 32 bytes. */
export const signerOf = (name: string, kind: 'log' | 'witness', seed: Uint8Array): Signer => {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from(DER.private, 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const type = kind === 'log' ? ED25519 : COSIGNATURE;
  return { ...peerOf(name, type, bytes), key, type };
};

const peerOf = (name: string, type: number, bytes: Uint8Array): Peer => {
  const typed = Buffer.concat([Buffer.of(type), bytes]);
  const id = sha256(Buffer.from(`${name}\n`), typed).subarray(0, 4);
  return { name, id, vkey: `${name}+${id.toString('hex')}+${base64(typed)}` };
};

/** Reads a vkey: the name, the ID of the key, and the key, with "+" between them. */
export const verifierOf = (vkey: string): Verifier => {
  const [name = ''] = vkey.split('+');
  const bytes = Buffer.from(vkey.slice(name.length + 10), 'base64');
  const der = Buffer.concat([Buffer.from(DER.public, 'hex'), bytes.subarray(1)]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return { ...peerOf(name, bytes[0] ?? 0, bytes.subarray(1)), key, type: bytes[0] ?? 0 };
};

const signedBytes = (text: string, type: number, time: number): Buffer =>
  Buffer.from(type === COSIGNATURE ? `cosignature/v1\ntime ${time}\n${text}` : text);

/** Returns a signature line. @param time seconds since 1970, of a cosignature. */
export const signatureLine = (text: string, { name, id, key, type }: Signer, time = 0): string => {
  const at = Buffer.alloc(8);
  at.writeBigUInt64BE(BigInt(time));
  const signature = sign(null, signedBytes(text, type, time), key);
  const parts = type === COSIGNATURE ? [id, at, signature] : [id, signature];
  return `\u2014 ${name} ${base64(Buffer.concat(parts))}\n`;
};

/** Whether one of the lines is a signature of the text by this key. */
export const isSignedBy = (text: string, lines: string, { name, id, key, type }: Verifier): boolean =>
  lines.split('\n').some((line) => {
    const [dash, named, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    if (dash !== '\u2014' || named !== name || !bytes.subarray(0, 4).equals(id)) return false;
    const rest = bytes.subarray(4);
    if (type !== COSIGNATURE) return verify(null, signedBytes(text, type, 0), key, rest);
    const time = Number(rest.readBigUInt64BE());
    return time > 0 && verify(null, signedBytes(text, type, time), key, rest.subarray(8));
  });

const node = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.of(1), left, right);
/** The largest power of two below a size. */
const split = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));

/** The Merkle tree hash of entries (RFC 6962, section 2.1). */
export const rootOfEntries = (entries: readonly string[]): Buffer => {
  if (entries.length === 0) return sha256();
  if (entries.length === 1) return sha256(Buffer.of(0), Buffer.from(entries[0] ?? ''));
  const middle = split(entries.length);
  return node(rootOfEntries(entries.slice(0, middle)), rootOfEntries(entries.slice(middle)));
};

/** The proof that a tree continues its first `size` entries (section 2.1.2). */
export const proofOfGrowth = (
  size: number,
  entries: readonly string[],
  isWhole = true,
): readonly Buffer[] => {
  if (size === 0) return [];
  if (size === entries.length) return isWhole ? [] : [rootOfEntries(entries)];
  const middle = split(entries.length);
  const [left, right] = [entries.slice(0, middle), entries.slice(middle)];
  return size <= middle
    ? [...proofOfGrowth(size, left, isWhole), rootOfEntries(right)]
    : [...proofOfGrowth(size - middle, right, false), rootOfEntries(left)];
};

type Head = { readonly size: number; readonly root: Uint8Array };

/** Whether a proof leads from a tree to a later one. */
const hasGrown = (old: Head, head: Head, proof: readonly Uint8Array[]): boolean => {
  const rest = [...proof];
  const next = (): Uint8Array => rest.shift() ?? new Uint8Array();
  const roots = (size: number, all: number, isWhole: boolean): readonly [Uint8Array, Uint8Array] => {
    if (size === all) {
      const root = isWhole ? old.root : next();
      return [root, root];
    }
    const middle = split(all);
    if (size <= middle) {
      const [before, now] = roots(size, middle, isWhole);
      return [before, node(now, next())];
    }
    const [before, now] = roots(size - middle, all - middle, false);
    const left = next();
    return [node(left, before), node(left, now)];
  };
  if (old.size > head.size) return false;
  if (old.size === 0) return rest.length === 0;
  const [before, now] = roots(old.size, head.size, true);
  return rest.length === 0 && Buffer.from(old.root).equals(before) && Buffer.from(head.root).equals(now);
};

/** The text of a checkpoint. */
export const checkpointText = (origin: string, { size, root }: Head): string =>
  `${origin}\n${size}\n${base64(root)}\n`;

/** The body of `add-checkpoint`. */
export const addCheckpoint = (oldSize: number, proof: readonly Uint8Array[], note: string): string =>
  `old ${oldSize}\n${proof.map((hash) => `${base64(hash)}\n`).join('')}\n${note}`;

/** A witness that trusts one key of each log, and keeps the last head of each. */
export class Witness {
  readonly #heads = new Map<string, Head>();

  constructor(
    private readonly key: Signer,
    /** vkeys by origin. */
    private readonly logs: ReadonlyMap<string, string>,
  ) {}

  /** Answers `add-checkpoint`. */
  answer(body: string): { readonly status: number; readonly body: string } {
    const [asked = '', text = '', lines = ''] = body.split('\n\n');
    const [old = '', ...proof] = asked.split('\n');
    const [origin = '', size = '', root = ''] = text.split('\n');
    const head = { size: Number(size), root: Buffer.from(root, 'base64') };
    const vkey = this.logs.get(origin);
    if (vkey === undefined) return { status: 404, body: 'unknown log\n' };
    if (!isSignedBy(`${text}\n`, lines, verifierOf(vkey))) return { status: 403, body: 'unknown key\n' };
    const last = this.#heads.get(origin) ?? { size: 0, root: sha256() };
    const oldSize = Number(/^old (\d+)$/.exec(old)?.[1] ?? Number.NaN);
    if (!(oldSize <= head.size)) return { status: 400, body: 'no old size\n' };
    if (oldSize !== last.size) return { status: 409, body: `${last.size}\n` };
    const hashes = proof.map((line) => Buffer.from(line, 'base64'));
    if (!hasGrown(last, head, hashes)) return { status: 422, body: 'another tree\n' };
    this.#heads.set(origin, head);
    return { status: 200, body: signatureLine(`${text}\n`, this.key, Math.floor(Date.now() / 1_000)) };
  }

  /** Loses its state. */
  forget(origin: string): void {
    this.#heads.delete(origin);
  }
}
