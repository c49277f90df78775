import {
  type BudgetState,
  budgetState,
  type OpenSession,
  occupancy,
  type Plan,
  PROFILES,
  type Profile,
  type ProfileSource,
  planNow,
  type RetentionRule,
  resolveProfile,
  type SkipReason,
} from '@app/domain';
import { type CompactionId, canonicalJson, invariant, sumTokens, type Tokens } from '@app/kernel';
import type { Summarizer, TokenCounter } from '@app/ports';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type DryRun, dryRun } from '../../compactions/dry-run.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import { withoutWords } from '../explanations/explain-outcome.js';
import type { ExplainedFidelity } from '../explanations/explanation.js';

/** A plan by its sizes, so that several can stand side by side. */
export type PlanSizes = Pick<
  Plan,
  'stages' | 'cut' | 'countedBefore' | 'billedBefore' | 'countedSummaryLimit'
> & {
  readonly splitTurn: boolean;
  readonly covered: { readonly messages: number; readonly tokens: Tokens };
  readonly retained: number;
  readonly droppedOutputs: { readonly outputs: number; readonly freed: Tokens };
  /** The most that would be left. */
  readonly countedAfterMax: Tokens;
  readonly billedAfterMax: Tokens;
  /** How many turns each rule would apply to. */
  readonly turns: Readonly<Record<RetentionRule, number>>;
};
/** What came of a run without a model, of which nothing is recorded; `refused` is the rule that its result broke. */
export type TrialResult =
  | {
      readonly countedAfter: Tokens;
      readonly billedAfter: Tokens;
      readonly summaryTokens: Tokens;
      readonly fidelity: ExplainedFidelity | null;
    }
  | { readonly refused: string };
export type WhatIfOutcome = {
  readonly profile: string;
  /** Whether it is the session's policy, with all that has been changed of it. */
  readonly isOwn: boolean;
} & (
  | { readonly plan: PlanSizes; readonly trial: TrialResult }
  | {
      readonly plan: null;
      readonly reason: SkipReason;
    }
);
export type WhatIfView = {
  readonly tokens: Tokens;
  readonly window: Tokens;
  readonly state: BudgetState;
  /** One that is asked for or under way: another request would join it. */
  readonly inFlight: CompactionId | null;
  readonly outcomes: readonly WhatIfOutcome[];
};

/** What a compaction would do now, under each of several profiles. It changes nothing. */
export class WhatIf extends Query<WhatIfView> {
  constructor(
    readonly ref: SessionRef,
    /** The session's own policy and every profile there is, where none is named. */
    readonly profiles: readonly ProfileSource[] = [],
  ) {
    super();
  }
}

@QueryHandler(WhatIf)
export class WhatIfHandler implements IQueryHandler<WhatIf> {
  constructor(
    private readonly sessions: SessionStore,
    /** One that calls no model: to look must cost nothing. */
    readonly summarizer: Summarizer,
    readonly counter: TokenCounter,
  ) {}

  /** @throws {AppError} `session-not-found`, `unknown-profile`. */
  async execute({ ref, profiles }: WhatIf): Promise<WhatIfView> {
    const wanted = profiles.map(resolveProfile);
    const { state } = await this.sessions.load(ref);
    const session = requireOpen(ref, state);
    const tokens = occupancy(session);
    const outcomes: WhatIfOutcome[] = [];
    for (const profile of wanted.length > 0 ? wanted : all(session.profile))
      outcomes.push(await this.outcomeOf(session, profile));
    return {
      tokens,
      window: session.limits.window,
      state: budgetState(tokens, session.limits, session.profile),
      inFlight: session.compaction?.compactionId ?? null,
      outcomes,
    };
  }

  private async outcomeOf(session: OpenSession, profile: Profile): Promise<WhatIfOutcome> {
    const { plan } = planNow(session, profile);
    const named = { profile: profile.name, isOwn: isSame(profile, session.profile) };
    if (plan.kind === 'none') return { ...named, plan: null, reason: plan.reason };
    const tried = await dryRun(session, profile, this);
    invariant(tried, 'what can be planned can be tried out');
    return { ...named, plan: sizesIn(plan), trial: shown(tried) };
  }
}

const shown = (tried: DryRun): TrialResult =>
  'refused' in tried ? tried : { ...tried, fidelity: tried.fidelity ? withoutWords(tried.fidelity) : null };

/** Settings may have changed the session's own policy, so that none of the profiles is it. */
const all = (own: Profile): readonly Profile[] => [
  own,
  ...PROFILES.filter((profile) => !isSame(profile, own)),
];

const isSame = (a: Profile, b: Profile): boolean => canonicalJson(a) === canonicalJson(b);

const sizesIn = (plan: Plan): PlanSizes => {
  const {
    stages,
    cut,
    countedBefore,
    billedBefore,
    billedTarget,
    countedSummaryLimit,
    covered,
    carried,
    retained,
    droppedOutputs,
    retention,
  } = plan;
  const turns = (rule: RetentionRule): number => retention.filter((turn) => turn.rule === rule).length;
  return {
    stages,
    cut,
    splitTurn: plan.splitPrefix.length > 0,
    covered: { messages: covered.length, tokens: sumTokens(covered.map((entry) => entry.tokens)) },
    retained: retained.length + (carried ? 1 : 0),
    droppedOutputs: {
      outputs: droppedOutputs.length,
      freed: sumTokens(droppedOutputs.map(({ freed }) => freed)),
    },
    countedBefore,
    billedBefore,
    countedAfterMax: plan.target,
    billedAfterMax: billedTarget,
    countedSummaryLimit,
    turns: {
      verbatim: turns('verbatim'),
      summarized: turns('summarized'),
      split: turns('split'),
      snipped: turns('snipped'),
      collapsed: turns('collapsed'),
      dropped: turns('dropped'),
    },
  };
};
