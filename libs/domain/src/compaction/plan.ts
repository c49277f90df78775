import type { MessageId, Tokens } from '@app/kernel';
import type { Profile, StageName } from '../profiles/profile.js';
import type { Entry } from '../session/entry.js';
import type {
  Cut,
  DroppedOutput,
  FileOperations,
  FloorPart,
  ProtectionYield,
  RaisedTarget,
  SkipReason,
} from '../session/events.js';
import type { TurnRetention } from '../session/retention.js';

/** The irreducible tokens of a session, part by part. */
export type Floor = { readonly tokens: Tokens; readonly parts: readonly FloorPart[] };

/** Content that a policy, a mark or a caller removed: no summarizer reads it. */
export type Removed = {
  /** Messages without their reasoning. */
  readonly reasoningIn: ReadonlySet<MessageId>;
  /** Indexes of the omitted results among the results of a message. */
  readonly resultsIn: ReadonlyMap<MessageId, ReadonlySet<number>>;
};

/** The plan of a compaction, decided before a summarizer is called. */
export type Plan = {
  readonly kind: 'plan';
  readonly profile: Profile;
  /** The stages that will run. */
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  /** Entries that the summary replaces, oldest first; empty if dropping tool outputs suffices. */
  readonly covered: readonly Entry[];
  /** The part of `covered` in the turn that the cut splits. */
  readonly splitPrefix: readonly Entry[];
  /** The message that began the split turn: it stays word for word. */
  readonly carried: Entry | undefined;
  /** From the cut on. */
  readonly retained: readonly Entry[];
  /** Messages of the session at the time of the plan; all later ones are retained. */
  readonly plannedMessages: number;
  readonly previousSummary: string | undefined;
  readonly droppedOutputs: readonly DroppedOutput[];
  /** Since the beginning of the session. */
  readonly fileOperations: FileOperations;
  /** Counted and billed tokens of the next request. */
  readonly countedBefore: Tokens;
  readonly billedBefore: Tokens;
  /** Counted tokens that it aims at; and the same as billed tokens. */
  readonly target: Tokens;
  readonly billedTarget: Tokens;
  /** Set if the target of the policy cannot be reached: the target used, and the reason. */
  readonly targetRaised: RaisedTarget | undefined;
  /** Set if the protected part exceeds the room: the rest that stays. */
  readonly protection: ProtectionYield | undefined;
  /** The longest summary that makes this worth while, in counted tokens. */
  readonly countedSummaryLimit: Tokens;
  readonly retention: readonly TurnRetention[];
  /** Content that a policy, a mark or a caller removed: no summarizer reads it. */
  readonly removed: Removed;
};

/** Returns the retained messages that there were when it was planned: the only ones that a summary depends on. */
export const retainedThen = ({ carried, retained, plannedMessages }: Plan): readonly Entry[] => [
  ...(carried ? [carried] : []),
  ...retained.filter(({ position }) => position < plannedMessages),
];

/** The reason why there is nothing to do, with its numbers. */
export type NoPlan = { readonly kind: 'none'; readonly reason: SkipReason };
