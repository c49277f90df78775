import { type MessageId, Tokens } from '@app/kernel';
import type { MessageStanding } from '../../context/standing.js';
import { hasTrait, TRAIT, type Traits } from '../../message/index.js';
import type { Profile } from '../../profiles/profile.js';
import type { Entry } from '../../session/entry.js';
import type { PartRule, TurnRetention } from '../../session/retention.js';

type Choice = {
  /** Oldest first. */
  readonly entries: readonly Entry[];
  readonly traits: ArrayLike<Traits>;
  /** The place of the first that stays. */
  readonly at: number;
  /** One from before that place which stays as well. */
  readonly carried: Entry | undefined;
  /** Returns the standing of the message at an index. */
  readonly standingAt: (place: number) => MessageStanding;
  readonly toolOutputs: Profile['toolOutputs'];
  /** Messages whose reasoning no summarizer reads. */
  readonly reasoningIn: ReadonlySet<MessageId>;
};

/** Returns which rule applies to each turn of the context, oldest first. */
export const retentionOf = (choice: Choice): TurnRetention[] => {
  const { entries, at, carried } = choice;
  const turns: TurnRetention[] = [];
  for (let start = 0; start < entries.length; ) {
    const run = turnFrom(choice, start);
    const { first, last, end, tokens } = run;
    const isCarriedOver = carried?.turn === first.turn && start < at;
    const kept = Math.max(0, end - Math.max(start, at)) + (isCarriedOver ? 1 : 0);
    turns.push({
      turn: first.turn,
      from: first.message.id,
      to: last.message.id,
      messages: end - start,
      tokens: Tokens(tokens),
      ...(kept === end - start ? standing(run) : covered(run, kept === 0 ? 'summarized' : 'split', choice)),
    });
    start = end;
  }
  return turns;
};

/** The retained entries of a turn, from its first one up to `end` (exclusive). */
type Run = {
  readonly first: Entry;
  last: Entry;
  end: number;
  tokens: number;
  /** Retention rules of its messages, their results and their reasoning. */
  rules: Rulings;
  results: Rulings;
  reasoning: Rulings;
  /** Whether some of its reasoning reaches a summarizer. */
  isRead: boolean;
};

const turnFrom = ({ entries, traits, standingAt, reasoningIn }: Choice, start: number): Run => {
  const first = entries[start];
  if (!first) throw new RangeError('a turn without messages');
  const run: Run = {
    first,
    last: first,
    end: start,
    tokens: 0,
    rules: 0,
    results: 0,
    reasoning: 0,
    isRead: false,
  };
  for (let entry: Entry | undefined = first; entry?.turn === first.turn; entry = entries[run.end]) {
    const held = traits[run.end];
    const { message, results, reasoning } = standingAt(run.end);
    run.last = entry;
    run.end += 1;
    run.tokens += entry.tokens;
    run.rules |= bitOf(message);
    for (const { rule } of results) run.results |= bitOf(rule);
    // A stray result stays as appended.
    if (results.length === 0 && hasTrait(held, TRAIT.holdsResults)) run.results |= bitOf('verbatim');
    if (reasoning === 'none') continue;
    run.reasoning |= bitOf(reasoning);
    run.isRead ||= !reasoningIn.has(entry.message.id);
  }
  return run;
};

type Rules = Pick<TurnRetention, 'rule' | 'toolOutputs' | 'reasoning'>;

/** Rules in order of loss, highest first. */
const BY_LOSS: readonly PartRule[] = [
  ...(['collapsed', 'dropped', 'snipped', 'pruned', 'masked', 'cleared', 'cut', 'offloaded'] as const),
  ...(['omitted', 'cleared-by-provider', 'verbatim'] as const),
];
const RULES_BY_LOSS = ['collapsed', 'dropped', 'snipped'] as const;

/** Rules as bits, by their places in {@link BY_LOSS}: each turn would need three sets, which cost more than the rest of the walk. */
type Rulings = number;
const BITS = new Map(BY_LOSS.map((rule, place) => [rule, 1 << place]));
const VERBATIM = 1 << BY_LOSS.indexOf('verbatim');
/** Nearly all content is verbatim. */
const bitOf = (rule: PartRule): Rulings => (rule === 'verbatim' ? VERBATIM : (BITS.get(rule) ?? 0));
const GONE = bitOf('pruned') | bitOf('dropped');

const standing = ({ rules, results, reasoning }: Run): Rules => ({
  rule: RULES_BY_LOSS.find((rule) => rules & bitOf(rule)) ?? 'verbatim',
  toolOutputs: most(results),
  reasoning: most(reasoning),
});

const most = (rules: Rulings): PartRule => BY_LOSS.find((rule) => rules & bitOf(rule)) ?? 'none';

const covered = (
  { results, reasoning, isRead }: Run,
  rule: 'summarized' | 'split',
  { toolOutputs }: Choice,
): Rules => {
  const isGone = (results & ~GONE) === 0;
  return {
    rule,
    toolOutputs: results === 0 ? 'none' : isGone ? most(results) : toolOutputs,
    reasoning: reasoning === 0 ? 'none' : isRead ? 'summarized' : 'dropped',
  };
};
