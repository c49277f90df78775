import type { Block, Role } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { stringIn } from '../drafts/members.js';
import { readItem } from '../wires/openai-responses/blocks.js';

/** What an item of the history says, and its own id where it has one. */
export type CodexItem = { readonly role: Role; readonly blocks: readonly Block[]; readonly id?: string };

/** `undefined` for what is in the history for Codex alone. */
export const itemOfCodex = (payload: JsonObject): CodexItem | undefined => {
  if (payload.type === 'ghost_snapshot') return undefined;
  // What Codex keeps with an item for itself is no part of it: the provider would refuse it.
  const { internal_chat_message_metadata_passthrough: _, ...item } = payload;
  const id = stringIn(item, 'id');
  return { ...readItem(item), ...(id !== undefined && { id }) };
};

/** A compaction by the provider, which alone can read it. */
export const isOpaqueCompaction = ({ type }: JsonObject): boolean =>
  type === 'compaction' || type === 'compaction_summary' || type === 'context_compaction';
