import type { Event, Tokens } from '@app/kernel';
import type { Cost } from '../../models/cost.js';
import type { Usage } from '../../models/usage.js';

/** What a provider's own context management did to one wire request, as its answer tells it. */
export type ProviderEdits = {
  readonly clearedToolUses: number;
  readonly clearedThinkingTurns: number;
  /** Of the request, as the provider counted them. */
  readonly clearedInputTokens: Tokens;
  /** The compaction of its own that it made, with what it billed for that. */
  readonly compaction?: { readonly usage?: Usage; readonly cost?: Cost };
};

/** What the provider's own context management did in a turn in which this engine has compacted. */
export type ProviderEditSummary = Omit<ProviderEdits, 'compaction'> & { readonly compacted: boolean };

/** The provider has changed one wire request on its side. It changes nothing of the manifest. */
export type ProviderContextEdited = Event<
  'ProviderContextEdited',
  ProviderEdits & {
    turn: number;
    /** The provider's id of the answer that told it, where it is known: the same answer tells nothing new. */
    responseId?: string;
    /** Turns whose reasoning the model did not see, oldest first. */
    reasoningClearedIn: readonly number[];
  }
>;

/** From now on two compact the same session: its profile does by itself, and so does the provider. */
export type DuplicateCompactionConfigured = Event<
  'DuplicateCompactionConfigured',
  { profile: string; since: 'session-start' | 'settings-changed' }
>;
