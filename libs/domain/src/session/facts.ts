import type {
  CallId,
  IsoTime,
  JsonObject,
  MessageId,
  ModelName,
  NonEmpty,
  PinId,
  Positive,
  Revision,
  Tokens,
} from '@app/kernel';
import type { OfSubjects } from '../message/subjects.js';
import type { Cost, Usage } from '../models/cost.js';
import type { Reinjectable } from '../profiles/profile.js';

/** A tool call, by the message that makes it and the provider's id: the id alone may be used again. */
export type CallReference = { readonly messageId: MessageId; readonly callId: CallId };

/** A call whose output is no longer sent; `freed` are the saved tokens. */
export type DroppedOutput = CallReference & {
  readonly freed: Tokens;
  /** Set by the prune stage; absent for a compaction. */
  readonly by?: 'prune';
};

/** Content that no compaction touches, as it was pinned. */
export type Pin = OfSubjects & {
  readonly pinId: PinId;
  readonly kind: PinKind;
  readonly text: string;
  /** Counted tokens of the text as requests carry it. */
  readonly tokens: Tokens;
};
/** A constraint; the mandate of a child session; ids of running children; the current plan. */
export type PinKind = 'constraint' | 'mandate' | 'children' | 'plan';

/** A contribution of a context provider or of the caller to one request: counted in it, and not part of the history. */
export type ContributionSize = { readonly name: NonEmpty; readonly tokens: Tokens };

/** Rungs of shortening a request without a summary; each includes the previous ones. */
export const LADDER_RUNGS = ['mask-outputs', 'drop-groups', 'newest-group', 'truncate-messages'] as const;
export type LadderRung = (typeof LADDER_RUNGS)[number];

/** Number of consecutive requests that needed the ladder, and the rung of the newest. */
export type LadderUse = { readonly requests: number; readonly rung: LadderRung };

/** A message of which a request holds the beginning and the end alone, in counted tokens. */
export type TruncatedMessage = {
  readonly messageId: MessageId;
  readonly countedBefore: Tokens;
  readonly countedAfter: Tokens;
};

/** A message and its size in the next request, in billed tokens. */
export type SizedMessage = { readonly messageId: MessageId; readonly billedTokens: Tokens };

/**
 * Makes the next request of a session fit, if it is done now; `billedAfter` is the size of that request then, at most, in
 * billed tokens.
 */
export type Remedy =
  /** The compaction under way has ended. */
  | { readonly remedy: 'wait'; readonly billedAfter?: Tokens }
  /** The session is compacted: a summarizer can answer, and something can be dropped. */
  | { readonly remedy: 'compact'; readonly billedAfter: Tokens }
  /** The history is cleared down to the user's current input. */
  | { readonly remedy: 'reset'; readonly billedAfter: Tokens }
  /** The request carries less beside the session. */
  | { readonly remedy: 'reduce-context'; readonly billedAfter: Tokens }
  /** Continues this turn without a compaction; `maxOutput` are the tokens left for the answer. */
  | { readonly remedy: 'override'; readonly billedAfter: Tokens; readonly maxOutput: Tokens }
  /** Shortens the request on the ladder, without old messages. */
  | { readonly remedy: 'shorten'; readonly billedAfter: Tokens }
  /** Shortens the request on the last rung of the ladder, which cuts the largest message. */
  | ({ readonly remedy: 'truncate-message'; readonly billedAfter: Tokens } & SizedMessage)
  /** Switches to a model with at least this window. */
  | { readonly remedy: 'use-larger-model'; readonly window: Tokens };

/** Something of the covered messages that can be given again behind a summary, word for word. */
export type ReinjectionSource = CallReference & {
  readonly kind: Reinjectable;
  /** Path of a file, or name of a skill. */
  readonly name: string;
  readonly text: string;
};
/** Something that is given again, with its frame. */
export type Reinjected = ReinjectionSource & { readonly countedTokens: Tokens };

export const TRIGGERS = [
  'threshold',
  'explicit',
  'overflow',
  'requested-mid-turn',
  'idle',
  'model-switched',
  'policy',
  'imported',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** At which threshold an automatic compaction is asked for. */
export type ThresholdName =
  | 'trigger'
  | 'required'
  | 'idle'
  | 'overflow'
  | 'messages'
  | 'turns'
  | 'tool-calls'
  | 'minutes';
/** A trigger by count: its unit, the count since the last compaction, and the threshold. */
export type CountTrigger = {
  readonly by: Extract<ThresholdName, 'messages' | 'turns' | 'tool-calls' | 'minutes'>;
  readonly reached: number;
  readonly at: Positive;
};

/** Returns whether a caller requested it, as opposed to budget or clock. */
export const isAskedFor = (trigger: Trigger): boolean =>
  trigger === 'explicit' || trigger === 'requested-mid-turn' || trigger === 'policy';

/** The end of a hold on automatic compactions: the end of the turn, or a release. */
export type HoldUntil = 'turn-end' | 'released';

/** Automatic triggers that may compact between two steps of a turn. */
export type AutomaticTrigger = Extract<Trigger, 'threshold' | 'overflow' | 'model-switched'>;

/** Facts of a transcript about compactions and clearings by its own agent; unknown facts are absent. */
export type ImportedCompaction = {
  /** The format of the transcript, which names the agent. */
  readonly format: NonEmpty;
  /** Whether the agent compacted by itself, or on its user's word. */
  readonly trigger?: 'automatic' | 'manual';
  /** When, by the agent's clock. */
  readonly at?: IsoTime;
  /** As the agent counted them. */
  readonly tokensBefore?: Tokens;
  readonly tokensAfter?: Tokens;
};

/** An irreducible part of the context. */
export type FloorPart = { readonly part: NonEmpty; readonly tokens: Tokens };

export type SkipReason =
  /** Everything there is, is protected or new. */
  | {
      readonly rule: 'nothing-to-drop';
      readonly messages: number;
      /** Counted and billed tokens of the next request. */
      readonly counted: Tokens;
      readonly occupancy: Tokens;
    }
  /** Irreducible content fills the budget. */
  | {
      readonly rule: 'floor-too-high';
      readonly countedFloor: Tokens;
      readonly countedBudget: Tokens;
      readonly parts: readonly FloorPart[];
    }
  /** A summary would hardly be shorter than the covered content. */
  | {
      readonly rule: 'no-gain';
      readonly countedBefore: Tokens;
      readonly countedAfter: Tokens;
      readonly countedLimit: Tokens;
    }
  /** The protected turns fill the target, and the policy is strict. */
  | {
      readonly rule: 'protection-strict';
      readonly countedProtected: Tokens;
      readonly countedTarget: Tokens;
    };

/** Everything that determines a summarizer's output, so that an auditor can compare two runs. */
export type SummarizerIdentity = {
  readonly name: NonEmpty;
  readonly model?: ModelName;
  readonly promptVersion: string;
  /** Whether the same input always gives the same output. */
  readonly deterministic: boolean;
};

/**
 * A compaction by the provider of the content that the summary covers. Only that provider can read it, so that it
 * supplements a readable summary and never replaces it.
 */
export type NativeCompaction = { readonly provider: NonEmpty; readonly model: NonEmpty } & (
  | {
      /** As the provider gave them, in their order. */
      readonly items: readonly JsonObject[];
    }
  | { readonly error: AttemptError }
);

/** Sizes of the next request, in counted and billed tokens. */
export type RequestSizes = {
  readonly countedBefore: Tokens;
  readonly countedAfter: Tokens;
  readonly billedBefore: Tokens;
  readonly billedAfter: Tokens;
};

/** Usage, and its cost by the prices at the time. The cost is absent without usage, and in older events. */
export type PaidUsage = { readonly usage?: Usage; readonly cost?: Cost };

/** A target above the one of the policy. */
export type RaisedTarget = { readonly from: Tokens; readonly reason: string };

/** The kept part of the protected content, if it cannot be kept in full. Sizes are counted tokens. */
export type ProtectionYield = {
  readonly by: 'turns' | 'tokens';
  /** Protected turns or tokens: requested, and kept. */
  readonly wanted: number;
  readonly kept: number;
  /** The size of the context with all protected content, and the allowed maximum. */
  readonly countedUnreduced: Tokens;
  readonly countedLimit: Tokens;
  readonly reason: string;
};

/** The first message that stays in full. */
export type Cut = { readonly messageId: MessageId; readonly revision: Revision };

export type AttemptError = {
  /** The rule of verify that failed, or the class of the summarizer's error. */
  readonly rule: NonEmpty;
  /** Numbers and names, never content. */
  readonly detail: string;
  /** Set if a repeated attempt would fail the same way, so that none follows. */
  readonly permanent?: true;
};

/**
 * Files that tool calls read and changed, oldest first; a file that was read and later changed is in `modified` only.
 * Deleted and renamed files are in their own lists only; the target of a rename counts as changed.
 */
export type FileOperations = {
  readonly read: readonly string[];
  readonly modified: readonly string[];
  /** Absent without any. */
  readonly deleted?: readonly string[];
  /** Absent without any. */
  readonly renamed?: readonly RenamedFile[];
};
export type RenamedFile = { readonly from: string; readonly to: string };

/** Billed tokens of single messages, as the differences of successive bills tell them: by their positions, ascending. */
export type MeasuredMessage = {
  readonly position: number;
  readonly billed: number;
  /** Counted tokens that marks had taken out of it by then; absent without any. */
  readonly freed?: number;
};

/** References to reasoning in a summary: removed tags, and covered blocks that it quotes. */
export type ReasoningReferences = { readonly marks: number; readonly blocks: number };

/** Content that a context provider or the caller adds to one request. */
export type Contribution = { readonly name: NonEmpty; readonly text: string };
