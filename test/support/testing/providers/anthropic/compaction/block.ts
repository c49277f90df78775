import type { JsonObject } from '@app/kernel';
import { digestOf } from '../../values/digest.js';
import { textOr } from '../../values/wire-values.js';
import { isStated, payloadIn, stateOn } from '../thinking/seal.js';

const contentDigest = ({ content }: JsonObject): string => digestOf(textOr(content, ''));
const changesDigest = ({ tool_changes }: JsonObject): string =>
  digestOf(JSON.stringify(tool_changes ?? null));

/** The block of a compaction at a threshold: its text is readable, and null if it failed. */
export const thresholdBlock = (secret: string, content: string | null): JsonObject => ({
  ...{ type: 'compaction', content },
  encrypted_content: content === null ? null : stateOn(secret, { content: contentDigest({ content }) }),
});

/**
 * The block of a compaction on demand.
 * @param covered the digest of the covered messages, so that thinking after them stays readable.
 */
export const signedBlock = (secret: string, content: string, covered: string): JsonObject => {
  const block = thresholdBlock(secret, content);
  const payload = { content: contentDigest(block), changes: changesDigest(block), covered };
  return { ...block, signature: stateOn(secret, payload, textOr(block.encrypted_content, '')) };
};

export const isSigned = ({ type, signature }: JsonObject): boolean =>
  type === 'compaction' && signature != null;

/** Returns the error code for a change to a block; `undefined` for an unchanged one. */
export const damageOf = (secret: string, block: JsonObject): string | undefined => {
  const { signature, encrypted_content: encrypted } = block;
  if (isSigned(block)) {
    if (!isStated(secret, signature, textOr(encrypted, ''))) return 'compaction_signature_invalid';
    const { content, changes } = payloadIn(signature) ?? {};
    if (content !== contentDigest(block)) return 'compaction_content_mismatch';
    return changes === changesDigest(block) ? undefined : 'compaction_tool_changes_mismatch';
  }
  if (encrypted == null) return undefined; // A failed or foreign block cannot be verified.
  if (!isStated(secret, encrypted)) return 'compaction_signature_invalid';
  return payloadIn(encrypted)?.content === contentDigest(block) ? undefined : 'compaction_content_mismatch';
};
