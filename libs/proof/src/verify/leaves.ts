import { ownMember } from '@app/kernel';
import { base64, type Checkpoint, type Hash, leafHash, TlogError } from '@app/tlog';
import type { Bundle, BundledContent, BundledEvent } from '../bundle/bundle.js';
import {
  CHAIN_START,
  contentDigest,
  type Digest,
  digestOfHex,
  NONE,
  openCommitment,
  sealedCommitment,
  sha256,
} from '../commitments.js';
import { rootOfSet } from '../inclusion-set.js';
import { claimsOf, hashOfLeaf, isOfSealed, leafOf } from '../leaf.js';
import type { YieldToLoop } from '../yield.js';
import type { Fault } from './report.js';
import { hashesIn } from './trust.js';

/** Returns the hash of the last event's leaf, which commits to all events, and the faults of their content. */
export const checkLeaves = async (
  { manifest, log, inclusion, events, blobs, signature }: Bundle,
  yieldToLoop?: YieldToLoop,
): Promise<{ readonly last: Hash | undefined; readonly faults: readonly Fault[] }> => {
  const faults: Fault[] = [];
  let { open, sealed } = CHAIN_START;
  for (const [at, one] of events.entries()) {
    await yieldToLoop?.();
    const { text, event, contents } = one;
    // A file that is cut may end between an event and what belongs to it.
    const isCut = signature === undefined && at === events.length - 1;
    open = openCommitment(log.salt, open, text);
    if (inclusion.sealed === undefined) sealed = sealedCommitment(log.salt, sealed, contents.map(digestOf));
    const problem =
      contentProblem(one, log.contentSalts, isCut) ?? formProblem(contents, inclusion.sealed !== undefined);
    if (problem !== undefined) faults.push(invalid(`event ${event.revision} ${problem}`));
    const lacksText = claimsOf(event.metadata).some(
      (claim) => !isOfSealed(claim) && !blobs.has(claim.digest),
    );
    if (lacksText && !isCut) faults.push(invalid(`event ${event.revision} lacks a text that belongs to it`));
  }
  for (const [digest, text] of blobs) {
    await yieldToLoop?.();
    if (sha256(text) !== digestOfHex(digest))
      faults.push(invalid(`a text does not have its digest ${digest}`));
  }
  const event = events.at(-1)?.event;
  if (!event) return { last: undefined, faults };
  const chain = { open, sealed: inclusion.sealed ?? sealed };
  return { last: hashOfLeaf(leafOf({ stream: manifest.stream, salt: log.salt, event, chain })), faults };
};

const invalid = (detail: string): Fault => ({ step: 'leaves', outcome: 'invalid', detail });

/** Content without a digest is a fault of its own. */
const digestOf = (content: BundledContent): Digest =>
  content.kind === 'clear' ? (content.sealed ?? '') : sha256(content.text);

/** A commitment that is given proves nothing of sealed content, and one that is computed needs every digest. */
const formProblem = (contents: readonly BundledContent[], isGiven: boolean): string | undefined => {
  if (isGiven && contents.some(({ kind }) => kind === 'sealed'))
    return 'has sealed content that no commitment proves';
  if (!isGiven && contents.some((content) => content.kind === 'clear' && content.sealed === undefined))
    return 'has content without the digest of its sealed form';
  return undefined;
};

/** All content must be there, and in clear have the digest in the public part. */
const contentProblem = (
  { contents, event }: BundledEvent,
  salts: Readonly<Record<string, string>>,
  isCut: boolean,
): string | undefined => {
  const recorded = [event.data.contentDigest ?? []].flat();
  if (contents.length !== recorded.length && !(isCut && contents.length < recorded.length))
    return `has ${contents.length} contents, and ${recorded.length} were recorded`;
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
  last: Hash,
  { size, root }: Checkpoint,
): readonly Fault[] => {
  const fault = (detail: string): readonly Fault[] => [{ step: 'inclusion', outcome: 'invalid', detail }];
  const placed = new Map([[inclusion.index, last]]);
  const others = [
    ...log.entries.map(({ index: place, text }) => ({
      place,
      hash: leafHash(new TextEncoder().encode(text)),
    })),
    ...receipts.map(({ index: place, text, event, stream, salt, previous }) => ({
      place,
      hash: hashOfLeaf(
        leafOf({
          ...{ stream, salt, event },
          // Erasures have no content.
          chain: { open: openCommitment(salt, previous ?? NONE, text), sealed: NONE },
        }),
      ),
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
