import { createHash } from 'node:crypto';
import { type CompactionCompleted, contentWords } from '@app/domain';
import type { JsonObject, TenantId } from '@app/kernel';

/** Hexadecimal digits of a hash: enough to search by, and to be wrong about once in 2^64. */
const DIGITS = 16;

/**
 * Returns a search index of a compaction's losses that does not reveal them: per name its hash and that of its last
 * path segment, per directive the hashes of its words. All hashes include the tenant. `undefined` without losses.
 */
export const lossesOf = ({ fidelity, opening }: CompactionCompleted['data']): JsonObject | undefined => {
  const { missing = [], directives } = fidelity ?? {};
  const lost = directives?.lost ?? [];
  if (missing.length + lost.length === 0) return undefined;
  const { tenantId } = opening.opened;
  const names = missing.flatMap(({ key }) => [normalized(key), lastPart(normalized(key))]);
  return {
    names: [...new Set(names)].map((name) => hashOf(tenantId, name)),
    directives: lost.map(({ sentence }) => [...contentWords(sentence)].map((word) => hashOf(tenantId, word))),
  };
};

/** Returns the JSON condition for losses of `name`, or of a directive with all of its words. */
export const searchOfLost = (
  tenant: TenantId,
  name: string,
): { readonly names: string; readonly directives: string } => {
  const words = [...contentWords(name)].map((word) => hashOf(tenant, word));
  const names = JSON.stringify({ names: [hashOf(tenant, normalized(name))] });
  // A search that has no word which means anything finds no directive.
  const directives = words.length > 0 ? JSON.stringify({ directives: [words] }) : names;
  return { names, directives };
};

const hashOf = (tenant: TenantId, text: string): string =>
  createHash('sha256').update(`${tenant}\n${text}`).digest('hex').slice(0, DIGITS);

/** Phrases are recorded in quotes. */
const normalized = (name: string): string => name.trim().replace(/^"|"$/g, '').toLowerCase();
const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path;
