import type { MessageId, Tokens } from '@app/kernel';

/**
 * What becomes of a turn. `summarized`: a summary stands for it; `split`: for its older part. `snipped`: requests leave
 * messages of it out; `collapsed`: a few lines stand for it in requests; `dropped`: the newest request went down the
 * ladder and left messages of it out. `verbatim`: every message of it stands in requests.
 */
export type RetentionRule = 'verbatim' | 'summarized' | 'split' | 'snipped' | 'collapsed' | 'dropped';
/**
 * What becomes of one kind of content in a turn: of at least one part of it, the word that takes away most. `none` where
 * the turn has no such content.
 *
 * Tool outputs: `offloaded` leaves a preview; `cleared` (micro), `pruned` (prune), `dropped` (a compaction) and `masked`
 * (the ladder, in the newest request) leave a line; `cut` (the ladder) leaves head and tail.
 * Reasoning: `dropped` by the policy, or by the caller, for good: no request and no summarizer has it. `omitted`: its
 * provider would refuse it, so no request carries it; the log keeps it. `cleared-by-provider`: requests carry it, and the
 * provider took it out of the newest one on its side.
 * `snipped`, `collapsed`: it went with its message.
 */
export type PartRule =
  | 'verbatim'
  | 'summarized'
  | 'dropped'
  | 'offloaded'
  | 'cleared'
  | 'pruned'
  | 'masked'
  | 'cut'
  | 'snipped'
  | 'collapsed'
  | 'omitted'
  | 'cleared-by-provider'
  | 'none';

export type TurnRetention = {
  readonly turn: number;
  readonly from: MessageId;
  readonly to: MessageId;
  readonly messages: number;
  /** Counted tokens, as they were appended. */
  readonly tokens: Tokens;
  readonly rule: RetentionRule;
  readonly toolOutputs: PartRule;
  readonly reasoning: PartRule;
};
