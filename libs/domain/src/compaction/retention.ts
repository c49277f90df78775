import type { MessageId, Tokens } from '@app/kernel';

/** What a compaction does with a turn. `split`: its older part is summarized, its newer part stays. */
export type RetentionRule = 'verbatim' | 'summarized' | 'split';
/**
 * What it does with one kind of content in a turn; `none` where the turn has no such content. `cleared-by-provider`: it
 * stays, but the provider took it out of the newest request on its side.
 */
export type PartRule = 'verbatim' | 'summarized' | 'dropped' | 'cleared-by-provider' | 'none';

export type TurnRetention = {
  readonly turn: number;
  readonly from: MessageId;
  readonly to: MessageId;
  readonly messages: number;
  readonly tokens: Tokens;
  readonly rule: RetentionRule;
  readonly toolOutputs: PartRule;
  readonly reasoning: PartRule;
};
