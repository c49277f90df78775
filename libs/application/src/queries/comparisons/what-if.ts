import type {
  ExplainedField,
  PlanSizes,
  ProfileSummary,
  TrialResult,
  WhatIfOutcome,
  WhatIfView,
} from '@app/contract';
import {
  budgetState,
  costOf,
  DEFAULT_PROFILE,
  type ModelCatalog,
  type OpenSession,
  occupancy,
  type Plan,
  PROFILE_FIELDS,
  PROFILES,
  type Profile,
  type ProfileSource,
  planNow,
  type RetentionRule,
  resolveProfile,
} from '@app/domain';
import { canonicalJson, type IsoTime, invariant, sumTokens, Tokens } from '@app/kernel';
import { QueryOnSession } from '../../command-and-query.js';
import { type DryRun, dryRun } from '../../compactions/dry-run.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen } from '../../sessions/session-ref.js';
import { withoutWords } from '../explanations/explain-outcome.js';

/**
 * Compares the compactions that several profiles would perform now: without any, the session's own profile and all
 * built-in ones. Records nothing.
 */
export class WhatIf extends QueryOnSession<WhatIfView, readonly ProfileSource[]> {}

@HandlesQuery(WhatIf)
export class WhatIfHandler extends Handler<WhatIf, 'sessions' | 'facts' | 'counter' | 'models' | 'clock'> {
  /** @throws {AppError} `session-not-found`, `unknown-profile`. */
  async execute({ ref, input: profiles }: WhatIf): Promise<WhatIfView> {
    const wanted = profiles.map(resolveProfile);
    const { state } = await this.parts.sessions.load(ref);
    const session = requireOpen(ref, state);
    const tokens = occupancy(session);
    const catalog = await this.parts.models.catalogFor(ref.tenant);
    const price = pricesOf(catalog, session.model, this.parts.clock.now());
    const outcomes: WhatIfOutcome[] = [];
    for (const profile of wanted.length > 0 ? wanted : all(session.profile))
      outcomes.push(await this.outcomeOf(session, profile, price));
    return {
      tokens,
      window: session.limits.window,
      state: budgetState(tokens, session.limits, session.profile),
      requestNanoUsd: price(tokens, 0),
      inFlight: session.compaction?.compactionId ?? null,
      outcomes,
    };
  }

  private async outcomeOf(session: OpenSession, profile: Profile, price: PriceOf): Promise<WhatIfOutcome> {
    const { plan } = planNow(session, profile);
    const named = { profile: profile.name, isOwn: isSame(profile, session.profile) };
    if (plan.kind === 'none') return { ...named, plan: null, reason: plan.reason };
    const { facts: summarizer, counter } = this.parts;
    const tried = await dryRun(session, profile, { summarizer, counter });
    invariant(tried, 'what can be planned can be tried out');
    return { ...named, plan: sizesIn(plan), trial: shown(tried, plan, price) };
  }
}

/** Returns billionths of a dollar for tokens in and out; `null` without a price. */
type PriceOf = (input: number, output: number) => number | null;

const pricesOf =
  (catalog: ModelCatalog, model: string, at: IsoTime): PriceOf =>
  (input, output) => {
    const [inputTokens, outputTokens] = [Tokens(input), Tokens(output)];
    const usage = { inputTokens, outputTokens, cacheReadTokens: Tokens(0), cacheWriteTokens: Tokens(0) };
    return costOf(catalog, model, usage, at).nanoUsd ?? null;
  };

const shown = (
  tried: DryRun,
  { stages, covered, countedSummaryLimit }: Plan,
  price: PriceOf,
): TrialResult => {
  if ('refused' in tried) return tried;
  const read = sumTokens(covered.map(({ tokens }) => tokens));
  return {
    ...tried,
    fidelity: tried.fidelity ? withoutWords(tried.fidelity) : null,
    requestNanoUsd: price(tried.billedAfter, 0),
    summaryNanoUsd: stages.includes('summarize') ? price(read, countedSummaryLimit) : 0,
  };
};

/** The session's own profile may differ from all built-in ones. */
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

/** Returns the built-in profiles, the default first. */
export const listProfiles = (): readonly ProfileSummary[] =>
  PROFILES.map(({ name, mode, stages, description }) => ({ name, mode, stages, description }));

/** Explains a profile field by field. @throws {AppError} `unknown-profile`. */
export const explainProfile = (source: ProfileSource): readonly ExplainedField[] => {
  const values = new Map(Object.entries(resolveProfile(source)));
  const defaults = new Map(Object.entries(DEFAULT_PROFILE));
  return Object.entries(PROFILE_FIELDS).map(([field, { theme, description, expects }]) => {
    const value = values.get(field);
    const isDefault = JSON.stringify(value) === JSON.stringify(defaults.get(field));
    return { field, ...(value !== undefined && { value }), description, expects, theme, isDefault };
  });
};
