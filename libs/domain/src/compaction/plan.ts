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

/** What no compaction can remove, part by part. */
export type Floor = { readonly tokens: Tokens; readonly parts: readonly FloorPart[] };

/** What a policy, a mark or a caller has removed from a session's messages: no summarizer reads it. */
export type Removed = {
  /** Messages without their reasoning. */
  readonly reasoningIn: ReadonlySet<MessageId>;
  /** Of a message, the places of the results that are gone, among its results. */
  readonly resultsIn: ReadonlyMap<MessageId, ReadonlySet<number>>;
};

/** What a compaction will do, decided before anything is asked of a summarizer. */
export type Plan = {
  readonly kind: 'plan';
  readonly profile: Profile;
  /** The stages that will run. */
  readonly stages: readonly StageName[];
  readonly cut: Cut;
  /** What the summary is to stand for, oldest first; empty where dropping tool outputs is enough. */
  readonly covered: readonly Entry[];
  /** The part of `covered` that belongs to the turn in which the cut stands. */
  readonly splitPrefix: readonly Entry[];
  /** The message that began the split turn: it stays word for word. */
  readonly carried: Entry | undefined;
  /** From the cut on. */
  readonly retained: readonly Entry[];
  /** Messages that the session had when this was planned: what is retained of later ones came since. */
  readonly plannedMessages: number;
  readonly previousSummary: string | undefined;
  readonly droppedOutputs: readonly DroppedOutput[];
  /** Since the beginning of the session. */
  readonly fileOperations: FileOperations;
  /** Of the next request: counted, and billed. */
  readonly countedBefore: Tokens;
  readonly billedBefore: Tokens;
  /** Counted tokens that it aims at; and the same as billed tokens. */
  readonly target: Tokens;
  readonly billedTarget: Tokens;
  /** Where the target of the policy cannot be reached: what it was, and why. */
  readonly targetRaised: RaisedTarget | undefined;
  /** What stays of what the policy protects, where it protects more than there is room for. */
  readonly protection: ProtectionYield | undefined;
  /** The longest summary that makes this worth while, in counted tokens. */
  readonly countedSummaryLimit: Tokens;
  readonly retention: readonly TurnRetention[];
  /** What a policy, a mark or a caller has removed: no summarizer reads it. */
  readonly removed: Removed;
};

/** Returns the retained messages that there were when it was planned: the only ones that a summary depends on. */
export const retainedThen = ({ carried, retained, plannedMessages }: Plan): readonly Entry[] => [
  ...(carried ? [carried] : []),
  ...retained.filter(({ position }) => position < plannedMessages),
];

/** The reason why there is nothing to do, with its numbers. */
export type NoPlan = { readonly kind: 'none'; readonly reason: SkipReason };
