import type { ReasoningOmission, WireNote } from './wire.js';

/** Number of changes of one kind by composing; for omitted reasoning also the cause. */
export type NoteCount = {
  readonly action: WireNote['action'];
  readonly reason?: ReasoningOmission;
  readonly count: number;
};

/** Returns the number of notes by kind, in order of first occurrence, without ids and content. */
export const countNotes = (notes: readonly WireNote[]): readonly NoteCount[] => {
  const counts = new Map<string, NoteCount>();
  for (const note of notes) {
    const reason = note.action === 'omitted-reasoning' ? { reason: note.reason } : {};
    const key = `${note.action} ${reason.reason ?? ''}`;
    counts.set(key, { action: note.action, ...reason, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
};
