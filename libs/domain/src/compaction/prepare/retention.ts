import { sumTokens } from '@app/kernel';
import { hasReasoning, toolResultsOf } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { DroppedOutput } from '../../session/events.js';
import type { Profile } from '../profile.js';
import type { PartRule, RetentionRule, TurnRetention } from '../retention.js';

type Choice = {
  readonly covered: readonly Entry[];
  readonly retained: readonly Entry[];
  /** By this compaction and by those before it. */
  readonly droppedOutputs: readonly DroppedOutput[];
  /** Turns whose reasoning the provider took out of a request. */
  readonly reasoningClearedIn: readonly number[];
  readonly profile: Profile;
};

/** Which rule applies to each turn of the context, oldest first. */
export const retentionOf = ({
  covered,
  retained,
  droppedOutputs,
  reasoningClearedIn,
  profile,
}: Choice): TurnRetention[] => {
  const gone = new Set(covered);
  const kept = new Set(retained);
  const dropping = new Set(droppedOutputs.map(({ messageId }) => messageId));
  const turns = new Map<number, Entry[]>();
  const inOrder = [...covered, ...retained].sort((a, b) => a.position - b.position);
  for (const entry of inOrder) turns.set(entry.turn, [...(turns.get(entry.turn) ?? []), entry]);

  return [...turns].map(([turn, entries]): TurnRetention => {
    const rule = ruleOf(entries, gone, kept);
    const part = (holds: boolean, outside: PartRule): PartRule =>
      !holds ? 'none' : rule === 'verbatim' ? 'verbatim' : outside;
    const dropped = entries.some((entry) => dropping.has(entry.message.id));
    const outputs = part(
      entries.some((entry) => toolResultsOf(entry.message).length > 0),
      profile.toolOutputs,
    );
    const reasoning = part(
      entries.some((entry) => hasReasoning(entry.message)),
      profile.reasoning,
    );
    return {
      turn,
      from: first(entries).message.id,
      to: (entries.at(-1) ?? first(entries)).message.id,
      messages: entries.length,
      tokens: sumTokens(entries.map((entry) => entry.tokens)),
      rule,
      toolOutputs: dropped && rule === 'verbatim' ? 'dropped' : outputs,
      reasoning:
        reasoning === 'verbatim' && reasoningClearedIn.includes(turn) ? 'cleared-by-provider' : reasoning,
    };
  });
};

const ruleOf = (entries: readonly Entry[], gone: Set<Entry>, kept: Set<Entry>): RetentionRule => {
  if (entries.every((entry) => kept.has(entry))) return 'verbatim';
  return entries.every((entry) => gone.has(entry)) ? 'summarized' : 'split';
};

const first = (entries: readonly Entry[]): Entry => {
  const [entry] = entries;
  if (!entry) throw new RangeError('a turn without messages');
  return entry;
};
