import type { Profile } from '@app/domain';
import type { TenantId } from '@app/kernel';
import type { Summarizer } from './summarizer.port.js';

/** The purpose of a summarizer. */
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
 * Chooses the summarizer. A missing summarizer, or one without a key, fails when it is called, so that the attempt is
 * recorded.
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

/** Returns a choice with one summarizer for all. */
export const always = (summarizer: Summarizer): SummarizerChoice => ({ choose: async () => [summarizer] });
