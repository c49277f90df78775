import type { Profile } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { Summarizer } from './summarizer.port.js';

/** What a summarizer is wanted for. */
export type SummarizerWish = {
  readonly tenant: TenantId;
  /** The policy of the compaction: it names the summarizer. */
  readonly profile: Profile;
  /** The session's own: it summarizes where no other is configured. */
  readonly model: string;
};

/** The summarizers in the order in which they are tried: where one does not work, the next one takes its place. */
export type SummarizerChain = readonly [Summarizer, ...Summarizer[]];

/**
 * Says who summarizes. A summarizer that is not there, or whose key is missing, is one that fails when it is asked: the
 * attempt says so in the log.
 */
export interface SummarizerChoice {
  choose(wish: SummarizerWish): Promise<SummarizerChain>;
}

/** Whether any of the summarizers of a wish can be asked; `false` too where that cannot be found out now. */
export const canSummarize = async (choice: SummarizerChoice, wish: SummarizerWish): Promise<boolean> => {
  try {
    return (await choice.choose(wish)).some(({ unusable }) => unusable === undefined);
  } catch {
    return false;
  }
};

/** One for everybody. */
export const always = (summarizer: Summarizer): SummarizerChoice => ({ choose: async () => [summarizer] });
