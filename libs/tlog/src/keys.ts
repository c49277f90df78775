import { ed25519 } from '@noble/curves/ed25519.js';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { base64, fromBase64, joined, utf8 } from './bytes.js';
import { sha256, signEd25519 } from './native.js';
import { malformed } from './tlog-error.js';

/** Signature types by their identifier bytes (signed-note, “Signature types”). */
const SIGNATURE_TYPES = {
  /** Ed25519 over the text of a note. */
  ed25519: 0x01,
  /** Timestamped Ed25519 cosignature of a checkpoint. */
  'ed25519-cosignature': 0x04,
  /** Timestamped ML-DSA-44 cosignature of a tree. */
  'ml-dsa-44-cosignature': 0x06,
} as const;
export type SignatureType = keyof typeof SIGNATURE_TYPES;

/** A public key under a name. Name and id together tell which key has made a signature. */
export type VerifierKey = {
  readonly name: string;
  /** Unsigned, 32 bits. */
  readonly id: number;
  readonly type: SignatureType;
  readonly publicKey: Uint8Array;
};
export type SignerKey = VerifierKey & {
  /** 32 bytes. */
  readonly seed: Uint8Array;
};

type OfTypes<Value> = Readonly<Record<SignatureType, Value>>;

/** Verification of the signatures of a type. */
type Verifying = {
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  readonly verify: (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;
};
const ED25519: Verifying = {
  publicKeyBytes: 32,
  signatureBytes: 64,
  // As RFC 8032 has it: two verifiers must not disagree.
  verify: (publicKey, message, signature) => ed25519.verify(signature, message, publicKey, { zip215: false }),
};
const ML_DSA_44: Verifying = {
  publicKeyBytes: 1_312,
  signatureBytes: 2_420,
  verify: (publicKey, message, signature) => ml_dsa44.verify(signature, message, publicKey),
};
const SCHEMES: OfTypes<Verifying> = {
  ed25519: ED25519,
  'ed25519-cosignature': ED25519,
  'ml-dsa-44-cosignature': ML_DSA_44,
};

/** Creation of keys of a type, and signing with them, which browsers do without. */
type Signing = {
  readonly publicKeyOf: (seed: Uint8Array) => Uint8Array;
  readonly sign: (key: Pick<SignerKey, 'seed' | 'publicKey'>, message: Uint8Array) => Uint8Array;
};
const ED25519_SIGNING: Signing = {
  publicKeyOf: (seed) => ed25519.getPublicKey(seed),
  sign: signEd25519,
};
const SIGNING: OfTypes<Signing> = {
  ed25519: ED25519_SIGNING,
  'ed25519-cosignature': ED25519_SIGNING,
  'ml-dsa-44-cosignature': {
    publicKeyOf: (seed) => ml_dsa44.keygen(seed).publicKey,
    sign: ({ seed }, message) => ml_dsa44.sign(message, ml_dsa44.keygen(seed).secretKey),
  },
};
const SEED_BYTES = 32;

/** Key names are not empty, and hold neither spaces nor `+`. */
export const isKeyName = (name: string): boolean => name !== '' && !/[\p{White_Space}+\p{Cc}]/u.test(name);

/** signed-note, “Signatures”: the first four bytes of SHA-256 over name, newline, type and public key. */
const keyId = (name: string, type: SignatureType, publicKey: Uint8Array): number => {
  const digest = sha256(joined(utf8(`${name}\n`), Uint8Array.of(SIGNATURE_TYPES[type]), publicKey));
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
};

/** @param seed 32 random bytes, which are the private key. */
export const signerKey = (name: string, type: SignatureType, seed: Uint8Array): SignerKey => {
  if (!isKeyName(name)) throw malformed('signer key', 1, `"${name}" is no name of a key`);
  if (seed.length !== SEED_BYTES)
    throw malformed('signer key', 1, `the seed has ${seed.length} bytes, not 32`);
  const publicKey = SIGNING[type].publicKeyOf(seed);
  return { name, id: keyId(name, type, publicKey), type, publicKey, seed };
};

/** Returns the 64 or 2,420 bytes of a signature over a message. */
export const signBytes = (key: SignerKey, message: Uint8Array): Uint8Array =>
  SIGNING[key.type].sign(key, message);

export const isSignedBytes = (
  { type, publicKey }: VerifierKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean => {
  if (signature.length !== SCHEMES[type].signatureBytes) return false;
  try {
    return SCHEMES[type].verify(publicKey, message, signature);
  } catch {
    // The libraries throw for points that are not on the curve.
    return false;
  }
};

/** Returns a vkey: `name+id+base64(type || public key)` (signed-note, “Verifier keys”). */
export const formatVerifierKey = ({ name, id, type, publicKey }: VerifierKey): string =>
  `${name}+${hexOf(id)}+${encoded(type, publicKey)}`;

/** @throws {TlogError} `malformed` for text that is no vkey, an unknown type, or an id that is not that of the key. */
export const parseVerifierKey = (text: string): VerifierKey => {
  const { name, id, type, material } = partsOf('verifier key', text);
  if (material.length !== SCHEMES[type].publicKeyBytes)
    throw malformed('verifier key', 1, `the public key has ${material.length} bytes`);
  if (hexOf(keyId(name, type, material)) !== id)
    throw malformed('verifier key', 1, 'the id is not that of the key');
  return { name, id: keyId(name, type, material), type, publicKey: material };
};

const PRIVATE = 'PRIVATE+KEY+';

/** Returns the private key in the form of Go's `sumdb/note`: `PRIVATE+KEY+name+id+base64(type || seed)`. A secret. */
export const formatSignerKey = ({ name, id, type, seed }: SignerKey): string =>
  `${PRIVATE}${name}+${hexOf(id)}+${encoded(type, seed)}`;

/** @throws {TlogError} `malformed`; its message quotes nothing of the text. */
export const parseSignerKey = (text: string): SignerKey => {
  if (!text.startsWith(PRIVATE)) throw malformed('signer key', 1, `it does not begin with ${PRIVATE}`);
  const { name, id, type, material } = partsOf('signer key', text.slice(PRIVATE.length));
  const key = signerKey(name, type, material);
  if (hexOf(key.id) !== id) throw malformed('signer key', 1, 'the id is not that of the key');
  return key;
};

const hexOf = (id: number): string => id.toString(16).padStart(8, '0');
const encoded = (type: SignatureType, material: Uint8Array): string =>
  base64(joined(Uint8Array.of(SIGNATURE_TYPES[type]), material));

const partsOf = (what: string, text: string) => {
  // Base64 may hold a plus, too.
  const [, name, id, rest] = /^([^+]*)\+([0-9a-f]{8})\+(.*)$/s.exec(text) ?? [];
  const bytes = rest === undefined ? undefined : fromBase64(rest);
  if (name === undefined || id === undefined || !bytes || !isKeyName(name))
    throw malformed(what, 1, 'it is not of the form name+id+base64');
  const type = TYPES.get(bytes[0] ?? 0);
  if (!type) throw malformed(what, 1, 'its signature type is unknown');
  return { name, id, type, material: bytes.slice(1) };
};
const TYPES = new Map(
  (Object.keys(SIGNATURE_TYPES) as SignatureType[]).map((type) => [SIGNATURE_TYPES[type] as number, type]),
);
