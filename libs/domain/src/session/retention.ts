import type { MessageId, Tokens } from '@app/kernel';

/**
 * The retention of a turn. `summarized`: replaced by a summary; `split`: its older part is. `snipped`: requests omit
 * some of its messages; `collapsed`: replaced by a few lines in requests; `dropped`: the newest request omitted some
 * of its messages on the ladder. `verbatim`: requests carry all of its messages.
 */
export type RetentionRule = 'verbatim' | 'summarized' | 'split' | 'snipped' | 'collapsed' | 'dropped';
/**
 * The retention of one kind of content in a turn: the rule with the highest loss of all its parts; `none` without
 * such content.
 * Tool outputs: `offloaded` leaves a preview; `cleared` (micro), `pruned` (prune), `dropped` (a compaction) and
 * `masked` (the ladder, in the newest request) leave a line; `cut` (the ladder) leaves head and tail. Reasoning:
 * `dropped` by the policy or the caller, permanently: no request and no summarizer has it. `omitted`: its provider
 * would reject it, so that requests omit it; the log keeps it. `cleared-by-provider`: requests carry it, and the
 * provider removed it from the newest one. `snipped`, `collapsed`: removed with its message.
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
