import { ownMember } from '@app/kernel';
import { base64, type Checkpoint, type Hash, leafHash, TlogError } from '@app/tlog';
import type { Bundle, BundledContent, BundledEvent } from '../bundle/bundle.js';
import { contentDigest, type Digest, digestOfHex, sha256 } from '../commitments.js';
import { rootOfSet } from '../inclusion-set.js';
import { claimsOf, hashOfLeaf, isOfSealed, leafOf } from '../leaf.js';
import type { Fault } from './report.js';
import { hashesIn } from './trust.js';

/** Returns the hashes of the leaves of the events, in order, and the faults of their content. */
export const checkLeaves = ({
  manifest,
  log,
  events,
  blobs,
}: Bundle): { readonly hashes: readonly Hash[]; readonly faults: readonly Fault[] } => {
  const faults: Fault[] = [];
  const hashes: Hash[] = [];
  let previous: string | undefined;
  for (const one of events) {
    const { text, event } = one;
    const leaf = leafOf({
      ...{ stream: manifest.stream, salt: log.salt, text, event, previous },
      sealed: one.contents.map(digestOf),
    });
    const hash = hashOfLeaf(leaf);
    hashes.push(hash);
    previous = base64(hash);
    const problem = contentProblem(one, log.contentSalts);
    if (problem !== undefined) faults.push(invalid(`event ${event.revision} ${problem}`));
    if (claimsOf(event.metadata).some((claim) => !isOfSealed(claim) && !blobs.has(claim.digest)))
      faults.push(invalid(`event ${event.revision} lacks a text that belongs to it`));
  }
  for (const [digest, text] of blobs)
    if (sha256(text) !== digestOfHex(digest))
      faults.push(invalid(`a text does not have its digest ${digest}`));
  return { hashes, faults };
};

const invalid = (detail: string): Fault => ({ step: 'leaves', outcome: 'invalid', detail });

const digestOf = (content: BundledContent): Digest =>
  content.kind === 'clear' ? content.sealed : sha256(content.text);

/** Content in clear must have the digest in the public part. */
const contentProblem = (
  { contents, event }: BundledEvent,
  salts: Readonly<Record<string, string>>,
): string | undefined => {
  const recorded = [event.data.contentDigest ?? null].flat();
  for (const [at, content] of contents.entries()) {
    if (content.kind === 'sealed') continue;
    const salt = ownMember(salts, content.key);
    if (salt === undefined) return `has content without the salt of its key ${content.key}`;
    if (contentDigest(salt, event.id, content.text) !== recorded[at])
      return 'has other content than was recorded';
  }
  return undefined;
};

/** Returns the faults in the places of the leaves: they must lead to the root of the checkpoint. */
export const checkInclusion = (
  { log, inclusion, receipts, manifest }: Bundle,
  hashes: readonly Hash[],
  { size, root }: Checkpoint,
): readonly Fault[] => {
  const fault = (detail: string): readonly Fault[] => [{ step: 'inclusion', outcome: 'invalid', detail }];
  const placed = new Map<number, Hash>();
  const last = hashes.length - 1;
  const proven = hashes.filter((_, at) => (last - at) % inclusion.every === 0);
  if (proven.length !== inclusion.indexes.length)
    return fault(`${inclusion.indexes.length} leaves have a place, not ${proven.length}`);
  let index = 0;
  for (const [at, distance] of inclusion.indexes.entries()) {
    index += distance;
    const hash = proven[at];
    if (hash) placed.set(index, hash);
  }
  const others = [
    ...log.entries.map(({ index: place, text }) => ({
      place,
      hash: leafHash(new TextEncoder().encode(text)),
    })),
    ...receipts.map(({ index: place, text, event, stream, salt, previous }) => ({
      place,
      hash: hashOfLeaf(leafOf({ stream, salt, text, event, sealed: [], previous: previous ?? undefined })),
    })),
  ];
  for (const { place, hash } of others) {
    if (placed.has(place)) return fault(`two leaves have the place ${place}`);
    placed.set(place, hash);
  }
  const computed = rootOf(placed, size, inclusion.siblings);
  if (computed === 'malformed')
    return [{ step: 'inclusion', outcome: 'malformed', detail: 'a hash is no base64 of 32 bytes' }];
  const isRoot = computed !== undefined && base64(computed) === base64(root);
  return isRoot ? [] : fault(`the leaves do not lead to the root of the ${manifest.size} leaves`);
};

const rootOf = (
  placed: ReadonlyMap<number, Hash>,
  size: number,
  siblings: readonly string[],
): Hash | undefined | 'malformed' => {
  try {
    return rootOfSet(placed, size, hashesIn(siblings));
  } catch (error) {
    if (error instanceof TlogError) return 'malformed';
    throw error;
  }
};
