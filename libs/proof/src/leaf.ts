import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import {
  blindedStream,
  type Chain,
  type Digest,
  digestOfHex,
  NONE,
  openCommitment,
  sealedCommitment,
  sha256,
} from './commitments.js';

/** An event as it is stored: its content is sealed, and large parts are claims to blobs. */
export type SealedEvent = {
  readonly id: string;
  readonly revision: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
};

/** Sealed content: its SHA-256, and its text unless a blob has it. */
export type Sealed = { readonly text?: string; readonly digest: Digest };

/** Returns the public part of an event as it is committed to: JSON without sealed content, in the order of its members. */
export const publicText = ({ id, revision, type, data, metadata }: SealedEvent): string => {
  const { sealed: _, ...open } = data;
  return JSON.stringify({ id, revision, type, data: open, metadata });
};

/** Returns the sealed contents of an event: one text, or a list of texts where content belongs to different subjects. */
export const sealedOf = ({ data, metadata }: Pick<SealedEvent, 'data' | 'metadata'>): readonly Sealed[] => {
  const { sealed } = data;
  const texts: readonly Json[] = Array.isArray(sealed) ? sealed : [sealed ?? null];
  return texts.flatMap((text, at) => {
    if (typeof text !== 'string') return [];
    const claim = claimsOf(metadata).find(({ path }) => path[0] === 'sealed' && (path[1] ?? 0) === at);
    return claim ? { digest: digestOfHex(claim.digest) } : { text, digest: sha256(text) };
  });
};

/** Whether a claim is that of sealed content. */
export const isOfSealed = ({ path }: ClaimOf): boolean => path[0] === 'sealed';

/** A part of an event that is in a blob, with its SHA-256, hexadecimal. */
export type ClaimOf = { readonly path: readonly Json[]; readonly digest: string };

export const claimsOf = ({ claims }: JsonObject): readonly ClaimOf[] =>
  Array.isArray(claims)
    ? claims.flatMap((claim: Json) =>
        isJsonObject(claim) && Array.isArray(claim.path) && typeof claim.digest === 'string'
          ? [{ path: claim.path, digest: claim.digest }]
          : [],
      )
    : [];

/** The members of a leaf. */
export type LeafParts = {
  /** Name of the stream, and the salt of its leaves. */
  readonly stream: string;
  readonly salt: Digest;
  readonly event: Pick<SealedEvent, 'id' | 'revision' | 'type' | 'metadata'>;
  /** Up to the event. */
  readonly chain: Chain;
};

/** The first line of a leaf of an event. */
const LEAF = 'palimpsest/event/v2';

/** Whether an entry is the leaf of an event in the form that {@link leafOf} writes; older versions wrote others. */
export const isLeaf = (entry: string): boolean => entry.startsWith(`${LEAF}\n`);

const WORD = /^[A-Za-z0-9][A-Za-z0-9_.$:-]{0,99}$/;
/** A word of the event, or the sign for none: anything else could be read as several lines. */
const word = (value: unknown): string => (typeof value === 'string' && WORD.test(value) ? value : NONE);

/**
 * Returns the leaf of an event, a record of eight lines: its form, the blinded stream, revision, event ID, type and time, and the
 * commitments to the public parts and to the sealed contents of the stream up to the event.
 */
export const leafOf = ({ stream, salt, event, chain }: LeafParts): string =>
  [
    LEAF,
    blindedStream(salt, stream),
    String(event.revision),
    word(event.id),
    word(event.type),
    word(event.metadata.recordedAt),
    chain.open,
    chain.sealed,
    '',
  ].join('\n');

/** Returns the commitments in a leaf. */
export const chainIn = (leaf: string): Chain => {
  const [open = NONE, sealed = NONE] = leaf.split('\n').slice(6);
  return { open, sealed };
};

/** Returns the Merkle hash of a leaf (RFC 6962, section 2.1). */
export const hashOfLeaf = (leaf: string): Uint8Array =>
  createHash('sha256').update(LEAF_PREFIX).update(leaf).digest();

const LEAF_PREFIX = Uint8Array.of(0);

/** Returns the leaf of a stored event. @param before commitments of the stream's previous event. */
export const leafOfEvent = (
  event: SealedEvent,
  { before, ...place }: Pick<LeafParts, 'stream' | 'salt'> & { readonly before: Chain },
): string => {
  const chain = {
    open: openCommitment(place.salt, before.open, publicText(event)),
    sealed: sealedCommitment(
      place.salt,
      before.sealed,
      sealedOf(event).map(({ digest }) => digest),
    ),
  };
  return leafOf({ ...place, event, chain });
};
