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
import { type CompactionId, canonicalJson, sumTokens, type Tokens } from '@app/kernel';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';

/** A plan by its sizes, so that several can stand side by side. */
export type PlanSizes = Pick<Plan, 'stages' | 'cut' | 'tokensBefore' | 'summaryMax'> & {
  readonly splitTurn: boolean;
  readonly covered: { readonly messages: number; readonly tokens: Tokens };
  readonly retained: number;
  readonly droppedOutputs: { readonly outputs: number; readonly freed: Tokens };
  /** The most that would be left. */
  readonly tokensAfterMax: Tokens;
  /** How many turns each rule would apply to. */
  readonly turns: Readonly<Record<RetentionRule, number>>;
};
export type WhatIfOutcome = {
  readonly profile: string;
  /** Whether it is the session's policy, with all that has been changed of it. */
  readonly isOwn: boolean;
} & (
  | { readonly plan: PlanSizes }
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
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`, `unknown-profile`. */
  async execute({ ref, profiles }: WhatIf): Promise<WhatIfView> {
    const wanted = profiles.map(resolveProfile);
    const { state } = await this.sessions.load(ref);
    const session = requireOpen(ref, state);
    const tokens = occupancy(session);
    return {
      tokens,
      window: session.limits.window,
      state: budgetState(tokens, session.limits, session.profile),
      inFlight: session.compaction?.compactionId ?? null,
      outcomes: (wanted.length > 0 ? wanted : all(session.profile)).map((profile) =>
        outcomeOf(session, profile),
      ),
    };
  }
}

/** Settings may have changed the session's own policy, so that none of the profiles is it. */
const all = (own: Profile): readonly Profile[] => [
  own,
  ...PROFILES.filter((profile) => !isSame(profile, own)),
];

const isSame = (a: Profile, b: Profile): boolean => canonicalJson(a) === canonicalJson(b);

const outcomeOf = (session: OpenSession, profile: Profile): WhatIfOutcome => {
  const { plan } = planNow(session, profile);
  const named = { profile: profile.name, isOwn: isSame(profile, session.profile) };
  return plan.kind === 'none'
    ? { ...named, plan: null, reason: plan.reason }
    : { ...named, plan: sizesIn(plan) };
};

const sizesIn = (plan: Plan): PlanSizes => {
  const { stages, cut, tokensBefore, summaryMax, covered, carried, retained, droppedOutputs, retention } =
    plan;
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
    tokensBefore,
    tokensAfterMax: plan.target,
    summaryMax,
    turns: { verbatim: turns('verbatim'), summarized: turns('summarized'), split: turns('split') },
  };
};
