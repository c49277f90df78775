import { isText } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import { contentBlocks } from '../drafts/content-blocks.js';
import type { Draft, DraftCompaction } from '../drafts/draft.js';
import { listIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import type { Retained, TranscriptPruning } from '../transcript.js';

type Boundary = { readonly record: JsonObject; readonly line: number };

/**
 * The compactions of a file. Claude Code writes a boundary record, followed by the summary as a user message; older
 * versions wrote the summary alone.
 */
export class Compactions {
  /** Boundaries by chain, until the summary follows. */
  readonly #open = new Map<string, Boundary>();

  /** Handles a record that is not a message; yields compactions left without a summary. */
  *note(key: string, record: JsonObject, line: number): Generator<Draft, void, undefined> {
    if (record.type !== 'system' || record.subtype !== 'compact_boundary') return;
    yield* this.close(key);
    this.#open.set(key, { record, line });
  }

  /** @returns the compaction that the record completes; `undefined` if it is not a summary, or an empty one. */
  takeSummary(key: string, record: JsonObject): DraftCompaction | undefined {
    if (record.isCompactSummary !== true) return undefined;
    const blocks = contentBlocks(objectIn(record, 'message')?.content) ?? [];
    const summary = blocks
      .filter(isText)
      .map(({ text }) => text)
      .join('\n\n');
    if (summary === '') return undefined;
    const boundary = this.#open.get(key)?.record;
    this.#open.delete(key);
    const metadata = objectIn(boundary ?? {}, 'compactMetadata') ?? {};
    const [id, version] = [stringIn(boundary ?? record, 'uuid'), stringIn(record, 'version')];
    const createdAt = timeFrom((boundary ?? record).timestamp);
    return {
      ...(id !== undefined && { id }),
      summary,
      retained: retainedIn(metadata, boundary),
      ...triggerIn(metadata),
      ...defined({ createdAt, agentVersion: version }),
      ...countIn(metadata, 'preTokens', 'tokensBefore'),
      ...countIn(metadata, 'postTokens', 'tokensAfter'),
      ...countIn(metadata, 'durationMs', 'durationMs'),
    };
  }

  /** Yields the compactions without a summary, of one chain or of all. */
  *close(key?: string): Generator<Draft, void, undefined> {
    for (const [of, { line }] of this.#open) {
      if (key !== undefined && of !== key) continue;
      this.#open.delete(of);
      yield { kind: 'skipped', line, reason: 'is a compaction without a summary' };
    }
  }
}

/** Returns the outputs that a microcompaction cleared or replaced by an excerpt; `undefined` for other records. */
export const pruningIn = (record: JsonObject): TranscriptPruning | undefined => {
  const callIds = clearedIn(record).filter((id) => typeof id === 'string');
  const createdAt = timeFrom(record.timestamp);
  return callIds.length === 0 ? undefined : { callIds, ...(createdAt !== undefined && { createdAt }) };
};

const clearedIn = (record: JsonObject): readonly Json[] => {
  if (record.type === 'content-replacement')
    return (listIn(record, 'replacements') ?? [])
      .filter(isJsonObject)
      .map(({ toolUseId }) => toolUseId ?? null);
  if (record.type !== 'system' || record.subtype !== 'microcompact_boundary') return [];
  return listIn(objectIn(record, 'microcompactMetadata') ?? {}, 'compactedToolIds') ?? [];
};

/** Kept messages are named if they are the newest part; older versions kept none. */
const retainedIn = (metadata: JsonObject, boundary: JsonObject | undefined): Retained => {
  const kept = objectIn(metadata, 'preservedSegment') ?? {};
  const head = stringIn(kept, 'headUuid');
  const isNewest = kept.anchorUuid !== boundary?.uuid;
  return head !== undefined && isNewest ? { kind: 'from', messageId: head } : { kind: 'none' };
};

const triggerIn = ({ trigger }: JsonObject): Pick<DraftCompaction, 'trigger'> => {
  if (trigger === 'auto') return { trigger: 'automatic' };
  return trigger === 'manual' ? { trigger: 'manual' } : {};
};

type Count = 'tokensBefore' | 'tokensAfter' | 'durationMs';
const countIn = (metadata: JsonObject, member: string, name: Count): Pick<DraftCompaction, Count> => {
  const count = ownMember(metadata, member);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? { [name]: count } : {};
};
