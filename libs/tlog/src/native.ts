import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';

/** Node's own cryptography; `undefined` in a browser. It hashes twice as fast as `@noble/*`, and signs twenty times as fast. */
const node = globalThis.process?.getBuiltinModule?.('node:crypto');

/** SHA-256 of bytes. */
export const sha256: (bytes: Uint8Array) => Uint8Array = node
  ? (bytes) => node.hash('sha256', bytes, 'buffer')
  : portableSha256;

type PrivateKey = { readonly seed: Uint8Array; readonly publicKey: Uint8Array };

/** Returns the Ed25519 signature of a message, of which RFC 8032 allows one only. @param key is not written to. */
export const signEd25519 = (key: PrivateKey, message: Uint8Array): Uint8Array => {
  if (!node) return ed25519.sign(message, key.seed);
  const made = KEYS.get(key.seed) ?? node.createPrivateKey({ format: 'jwk', key: jwkOf(key) });
  KEYS.set(key.seed, made);
  return node.sign(null, message, made);
};

/** Node's form of keys, by their seeds: to make one takes longer than to sign. */
const KEYS = new WeakMap<Uint8Array, ReturnType<NonNullable<typeof node>['createPrivateKey']>>();

/** RFC 8037, section 2. */
const jwkOf = ({ seed, publicKey }: PrivateKey) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  d: base64url(seed),
  x: base64url(publicKey),
});

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
