import { contentWords, type EventData, type SessionEvent } from '@app/domain';
import type { JsonObject, TenantId } from '@app/kernel';
import type { Digester, KeyedDigests } from '@app/ports';
import { auditPayload } from './session-payloads.js';

/** Makes the digests of a search index. */
export type SearchDigests = Pick<KeyedDigests, 'digester'>;

/** Hexadecimal digits of a digest: enough to search by, and to be wrong about once in 2^64. */
const DIGITS = 16;

/** Returns the payload of an audit row: that of the audit, and in `lost` the search index of a compaction's losses. */
export const rowPayload = (
  tenant: TenantId,
  event: SessionEvent,
  digests: SearchDigests,
): JsonObject | Promise<JsonObject> => {
  const payload = auditPayload(event);
  if (event.type !== 'CompactionCompleted' || !hasLosses(event.data)) return payload;
  return withLosses(payload, event.data, digests.digester(tenant, 'loss'));
};

const withLosses = async (
  payload: JsonObject,
  data: EventData<'CompactionCompleted'>,
  digester: Promise<Digester>,
): Promise<JsonObject> => ({ ...payload, lost: lossesOf(data, await digester) });

const hasLosses = ({ fidelity }: EventData<'CompactionCompleted'>): boolean =>
  fidelity !== undefined && fidelity.missing.length + (fidelity.directives.lost?.length ?? 0) > 0;

/**
 * Returns a search index that does not reveal the losses: per name its digest and that of its last path segment, per directive
 * the digests of its words. A dictionary would lead from digests without a key to the words.
 */
const lossesOf = ({ fidelity }: EventData<'CompactionCompleted'>, digest: Digester): JsonObject => {
  const { missing = [], directives } = fidelity ?? {};
  const names = missing.flatMap(({ key }) => [normalized(key), lastPart(normalized(key))]);
  return {
    names: [...new Set(names)].map((name) => shortened(digest, name)),
    directives: (directives?.lost ?? []).map(({ sentence }) =>
      [...contentWords(sentence)].map((word) => shortened(digest, word)),
    ),
  };
};

/** JSON conditions for losses of a name, or of a directive with all of its words. */
export type LossSearch = { readonly names: string; readonly directives: string };

export const searchOfLost = async (
  tenant: TenantId,
  name: string,
  digests: SearchDigests,
): Promise<LossSearch> => {
  const digest = await digests.digester(tenant, 'loss');
  const words = [...contentWords(name)].map((word) => shortened(digest, word));
  const names = JSON.stringify({ names: [shortened(digest, normalized(name))] });
  // A search that has no word which means anything finds no directive.
  const directives = words.length > 0 ? JSON.stringify({ directives: [words] }) : names;
  return { names, directives };
};

const shortened = (digest: Digester, text: string): string => digest(text).slice(0, DIGITS);

/** Phrases are recorded in quotes. */
const normalized = (name: string): string => name.trim().replace(/^"|"$/g, '').toLowerCase();
const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path;
