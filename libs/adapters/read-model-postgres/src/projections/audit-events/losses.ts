import { createHash } from 'node:crypto';
import { type CompactionCompleted, contentWords } from '@app/domain';
import type { JsonObject, TenantId } from '@app/kernel';

/** Hexadecimal digits of a hash: enough to search by, and to be wrong about once in 2^64. */
const DIGITS = 16;

/**
 * What a compaction has lost, to be searched by and not to be read: for each name its hash and that of the last part of
 * its path, for each directive the hashes of its words. The tenant is part of each. `undefined` where nothing is lost.
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

/** What the losses of a compaction hold, as JSON, where it has lost `name`; or a directive with all of its words. */
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
