import type { ReasoningOmission, WireNote } from './wire.js';

/** How often composing did something beyond copying; of reasoning left out also why. */
export type NoteCount = {
  readonly did: WireNote['did'];
  readonly because?: ReasoningOmission;
  readonly count: number;
};

/** Notes of one kind together, in the order in which the first of each stands: without ids, and without content. */
export const countNotes = (notes: readonly WireNote[]): readonly NoteCount[] => {
  const counts = new Map<string, NoteCount>();
  for (const note of notes) {
    const because = note.did === 'left-out-reasoning' ? { because: note.because } : {};
    const key = `${note.did} ${because.because ?? ''}`;
    counts.set(key, { did: note.did, ...because, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
};
