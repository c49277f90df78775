import type { StageName } from './shared.js';

/** The rules that a field belongs to: the headings under which the guide to compaction explains them. */
export type ProfileTheme = 'summary' | 'cut' | 'stages' | 'name' | 'budget' | 'triggers' | 'size' | 'failure';
export type ProfileSummary = {
  readonly stages: readonly StageName[];
  readonly name: string;
  /** `authorized` compacts only on the user's word; `automatic` when a threshold is crossed. */
  readonly mode: 'automatic' | 'authorized' | 'off';
  readonly description: string;
};
export type ExplainedField = {
  readonly field: string;
  readonly value?: string | number | boolean | readonly StageName[] | readonly string[];
  /** What it means, and what else it could be. */
  readonly says: string;
  readonly expects: string;
  /** The rules by which it counts: a heading of the guide to compaction. */
  readonly theme: ProfileTheme;
  /** Whether the default profile has the same value. */
  readonly isDefault: boolean;
};
