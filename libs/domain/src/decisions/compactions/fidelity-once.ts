import { type CompactionId, isSameList } from '@app/kernel';
import { earlierMessages, type Fidelity, fidelityOf } from '../../fidelity/fidelity.js';
import type { Message } from '../../message/index.js';

/** Inputs of a fidelity. */
export type Compared = {
  readonly covered: readonly Message[];
  /** The summary that the new one replaces, and its compaction. */
  readonly previous: { readonly summary: string; readonly compactionId: CompactionId } | undefined;
  readonly summary: string;
  /** The retained messages. */
  readonly context: readonly Message[];
};

/** The newest result by the first covered message: it is forgotten with that message. */
const known = new WeakMap<Message, { readonly compared: Compared; readonly fidelity: Fidelity }>();

/**
 * Returns {@link fidelityOf}, and remembers it. A completion is decided again whenever an agent appends first, on the same
 * messages: without this, it would take longer than a busy agent needs for its next append, and lose each race.
 */
export const fidelityOnce = (compared: Compared): Fidelity => {
  const [first] = compared.covered;
  const before = first && known.get(first);
  if (before && isSame(before.compared, compared)) return before.fidelity;
  const { covered, previous, summary, context } = compared;
  const earlier = previous === undefined ? [] : earlierMessages(previous.summary, previous.compactionId);
  const fidelity = fidelityOf([...earlier, ...covered], summary, context);
  if (first) known.set(first, { compared, fidelity });
  return fidelity;
};

const isSame = (a: Compared, b: Compared): boolean =>
  a.summary === b.summary &&
  a.previous?.summary === b.previous?.summary &&
  a.previous?.compactionId === b.previous?.compactionId &&
  // Content that changes makes another message.
  isSameList(a.covered, b.covered) &&
  isSameList(a.context, b.context);
