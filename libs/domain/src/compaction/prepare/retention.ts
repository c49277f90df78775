import { Tokens } from '@app/kernel';
import { hasTrait, TRAIT, type Traits } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { DroppedOutput } from '../../session/events.js';
import type { Profile } from '../profile.js';
import type { PartRule, RetentionRule, TurnRetention } from '../retention.js';

type Choice = {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  readonly traits: ArrayLike<Traits>;
  /** The place of the first that stays. */
  readonly at: number;
  /** One from before that place which stays as well. */
  readonly carried: Entry | undefined;
  /** By this compaction and by those before it. */
  readonly droppedOutputs: readonly DroppedOutput[];
  /** Turns whose reasoning the provider took out of a request. */
  readonly reasoningClearedIn: readonly number[];
  readonly profile: Pick<Profile, 'toolOutputs' | 'reasoning'>;
};

/** Which rule applies to each turn of the context, oldest first. */
export const retentionOf = (choice: Choice): TurnRetention[] => {
  const { entries, at, carried, droppedOutputs, reasoningClearedIn, profile } = choice;
  const dropping = new Set<string>(droppedOutputs.map(({ messageId }) => messageId));
  const turns: TurnRetention[] = [];
  for (let start = 0; start < entries.length; ) {
    const run = turnFrom(choice, start, dropping);
    const { first, last, end, tokens } = run;
    const isCarriedOver = carried?.turn === first.turn && start < at;
    const kept = Math.max(0, end - Math.max(start, at)) + (isCarriedOver ? 1 : 0);
    const rule = ruleOf(kept, end - start);
    const part = (holds: boolean, outside: PartRule): PartRule =>
      !holds ? 'none' : rule === 'verbatim' ? 'verbatim' : outside;
    turns.push({
      turn: first.turn,
      from: first.message.id,
      to: last.message.id,
      messages: end - start,
      tokens: Tokens(tokens),
      rule,
      toolOutputs: run.drops && rule === 'verbatim' ? 'dropped' : part(run.hasResults, profile.toolOutputs),
      reasoning: clearedIn(first.turn, part(run.reasons, profile.reasoning), reasoningClearedIn),
    });
    start = end;
  }
  return turns;
};

const clearedIn = (turn: number, rule: PartRule, cleared: readonly number[]): PartRule =>
  rule === 'verbatim' && cleared.includes(turn) ? 'cleared-by-provider' : rule;

/** What stands of a turn, from its first entry up to, without, `end`. */
type Run = {
  readonly first: Entry;
  last: Entry;
  end: number;
  tokens: number;
  hasResults: boolean;
  reasons: boolean;
  drops: boolean;
};

const turnFrom = ({ entries, traits }: Choice, start: number, dropping: ReadonlySet<string>): Run => {
  const first = entries[start];
  if (!first) throw new RangeError('a turn without messages');
  const run: Run = {
    first,
    last: first,
    end: start,
    tokens: 0,
    hasResults: false,
    reasons: false,
    drops: false,
  };
  for (let entry: Entry | undefined = first; entry?.turn === first.turn; entry = entries[run.end]) {
    const held = traits[run.end];
    run.last = entry;
    run.end += 1;
    run.tokens += entry.tokens;
    run.hasResults ||= hasTrait(held, TRAIT.holdsResults);
    run.reasons ||= hasTrait(held, TRAIT.hasReasoning);
    run.drops ||= dropping.size > 0 && dropping.has(entry.message.id);
  }
  return run;
};

const ruleOf = (kept: number, messages: number): RetentionRule => {
  if (kept === messages) return 'verbatim';
  return kept === 0 ? 'summarized' : 'split';
};
