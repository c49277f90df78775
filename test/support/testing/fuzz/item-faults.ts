import { blockFrom } from '@app/domain';
import { isShallow, type TranscriptItem } from '@app/formats';

/** Returns faults of the items that a reader yielded, in order; must be empty for any file. */
export const itemFaults = (items: readonly TranscriptItem[]): readonly string[] => {
  const faults: string[] = [];
  const sessions = new Set<string>();
  const ids = new Set<string>();
  for (const item of items) {
    if (item.kind === 'skipped') {
      if (!Number.isSafeInteger(item.line) || item.line < 1) faults.push(`line ${item.line}`);
      if (!/^[a-z]/.test(item.reason)) faults.push(`reason ${item.reason}`);
      continue;
    }
    if (item.kind === 'session') {
      const { id } = item.session;
      if (!/^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/.test(id) || sessions.has(id))
        faults.push(`session id ${id}`);
      sessions.add(id);
      continue;
    }
    if (!sessions.has(item.sessionId)) faults.push(`${item.kind} of a session that is not open`);
    if (item.kind === 'title') {
      if (item.title.trim() === '') faults.push('a title of nothing');
      continue;
    }
    if (item.kind === 'pruning') {
      if (item.pruning.callIds.length === 0) faults.push('a pruning of nothing');
      continue;
    }
    const { id } = item.kind === 'message' ? item.message : item.compaction;
    const key = `${item.kind} ${item.sessionId} ${id}`;
    if (!/^[\x21-\x7e]{1,200}$/.test(id) || ids.has(key)) faults.push(`${item.kind} id ${id}`);
    ids.add(key);
    if (item.kind === 'message') faults.push(...messageFaults(item.message.blocks));
  }
  return faults;
};

const messageFaults = (blocks: readonly Parameters<typeof blockFrom>[0][]): readonly string[] =>
  blocks.flatMap((block) => {
    if (!isShallow(block, 600)) return ['a block that is nested too deep'];
    return blockFrom(block) === undefined ? ['a block that is none'] : [];
  });
