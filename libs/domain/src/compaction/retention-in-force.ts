import { traitsOf } from '../message/index.js';
import type { OpenSession } from '../session/state.js';
import { retentionOf } from './prepare/retention.js';
import type { TurnRetention } from './retention.js';

/** What became of each turn that the newest compaction saw or that came after it, oldest first. */
export const retentionInForce = (session: OpenSession): readonly TurnRetention[] => {
  const changed = (session.pivot?.retention ?? []).filter(
    ({ rule, toolOutputs }) => rule !== 'verbatim' || toolOutputs === 'dropped',
  );
  const turns = new Set(changed.map(({ turn }) => turn));
  const whole = retentionOf({
    entries: session.entries,
    traits: session.entries.map(({ message }) => traitsOf(message)),
    at: 0,
    carried: undefined,
    droppedOutputs: session.droppedOutputs,
    reasoningClearedIn: session.reasoningClearedIn,
    profile: session.profile,
  });
  return [...changed, ...whole.filter(({ turn }) => !turns.has(turn))].sort((a, b) => a.turn - b.turn);
};
