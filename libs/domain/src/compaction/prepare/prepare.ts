import { sumTokens, Tokens } from '@app/kernel';
import { countedBelowTrigger, countedBudget, countedTarget } from '../../occupancy/counted-limits.js';
import { estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import type { Profile } from '../../profiles/profile.js';
import type { DroppedOutput, ProtectionYield, RaisedTarget, SkipReason } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { type Layout, layOut, pairingIn } from '../../turns/cuts.js';
import type { Floor, NoPlan, Plan } from '../plan.js';
import { dropToolOutputs } from '../stages/prune.js';
import { chooseCut, type Shrunk } from './choose-cut.js';
import { floorOf, type Measure, measureOf, protectedFrom } from './measure.js';
import { planAt } from './plan-at.js';

/**
 * Returns the plan of a compaction of `session` under `profile`, or the reason for none. Pure; all sizes are
 * estimates in counted tokens.
 */
export const prepare = (session: OpenSession, profile: Profile = session.profile): Plan | NoPlan => {
  const layout = layOut(session);
  const measure = measureOf(session, profile);
  const floor = floorOf(session, layout.newest, summaryReserve(session, layout, measure));
  const budget = countedBudget(session, profile);
  if (budget !== undefined && floor.tokens >= budget) {
    return none({
      rule: 'floor-too-high',
      countedFloor: floor.tokens,
      countedBudget: budget,
      parts: floor.parts,
    });
  }
  const context = { session, profile, layout, measure, floor, budget, before: estimatedTokens(session) };
  return planOfDrops(context) ?? planOfSummary(context);
};

/**
 * Returns the reserve for a summary of everything before the newest group, or the size of the previous summary if
 * none would be written.
 */
const summaryReserve = (session: OpenSession, { cuts }: Layout, measure: Measure): Tokens => {
  const last = cuts.at(-1) ?? 0;
  return measure.covered(last) === 0
    ? (session.pivot?.summaryTokens ?? Tokens(0))
    : measure.countedSummaryLimit(last);
};

type Context = {
  readonly session: OpenSession;
  readonly profile: Profile;
  readonly layout: Layout;
  readonly measure: Measure;
  readonly floor: Floor;
  readonly budget: Tokens | undefined;
  readonly before: Tokens;
};

/** Returns the plan that only drops tool outputs; `undefined` if that does not suffice. */
const planOfDrops = (context: Context): Plan | undefined => {
  const { session, profile, layout, measure, before } = context;
  const [first] = session.entries;
  if (!first || !profile.stages.includes('drop-tool-outputs')) return undefined;
  const from = protectedFrom(session, layout, profile, measure);
  const droppedOutputs = dropToolOutputs(session, pairingIn(session), {
    protectedFrom: from,
    exemptTools: profile.exemptTools,
  });
  const after = estimatedTokens(withDropped(session, droppedOutputs));
  const atMost = Math.floor(before * profile.maxRemainingShare);
  const target = Math.min(countedTarget(session, profile) ?? atMost, atMost);
  if (droppedOutputs.length === 0 || after > target) return undefined;
  const decision = {
    at: 0,
    droppedOutputs,
    target: Tokens(target),
    targetRaised: undefined,
    protection: undefined,
    stages: ['drop-tool-outputs'] as const,
  };
  return planAt(session, profile, decision, layout, measure);
};

/** The session as requests carry it once more outputs are dropped: some of them may be left out of requests already. */
const withDropped = (session: OpenSession, outputs: readonly DroppedOutput[]): OpenSession => ({
  ...session,
  droppedOutputs: [...session.droppedOutputs, ...outputs],
  entriesTokens: session.entriesTokens - sumTokens(outputs.map(({ freed }) => freed)),
});

const planOfSummary = (context: Context): Plan | NoPlan => {
  const { session, profile, layout, measure, before, budget } = context;
  const atMost = Math.floor(before * profile.maxRemainingShare);
  const wanted = countedTarget(session, profile);
  // A cut that covers nothing needs no summary and leaves the context unchanged.
  const after = (at: number): number => (measure.covered(at) === 0 ? before : measure.sizeAfter(at));
  const most = mostWithProtection(context, wanted);
  const fits = (at: number): boolean => after(at) <= most;
  const choice = chooseCut(session, layout, profile, measure, fits);
  const { at } = choice;
  if (measure.covered(at) === 0) {
    if (budget !== undefined && before > budget) return none(floorOfAll(context, before, budget));
    return none({
      rule: 'nothing-to-drop',
      messages: session.entries.length,
      counted: before,
      occupancy: occupancy(session),
    });
  }
  const size = after(at);
  if (size > most && profile.protection === 'strict') {
    const protectedTokens = sumTokens(session.entries.slice(at).map((entry) => entry.tokens));
    return none({
      rule: 'protection-strict',
      countedProtected: protectedTokens,
      countedTarget: Tokens(most),
    });
  }
  if (size > atMost) {
    return none({
      rule: 'no-gain',
      countedBefore: before,
      countedAfter: Tokens(size),
      countedLimit: Tokens(atMost),
    });
  }
  if (budget !== undefined && size > budget) {
    return none(floorOfAll(context, size, budget));
  }
  const target = Tokens(Math.max(size, Math.min(wanted ?? atMost, atMost)));
  const { shrunk, wantedAt } = choice;
  const decision = {
    at,
    droppedOutputs: [],
    target,
    targetRaised: raisedTarget(wanted, target, profile, shrunk),
    protection: shrunk && yieldOf(shrunk, Tokens(Math.ceil(after(wantedAt))), Tokens(most)),
    stages: ['summarize'] as const,
  };
  return planAt(session, profile, decision, layout, measure);
};

/** Turns of the size of the protected ones that a raised target leaves room for below the trigger. */
const TURNS_AHEAD = 2;

/**
 * Returns the most counted tokens that a compaction may leave so that the protected part stays: the target, or more
 * if it is too low, as long as two more turns fit below the trigger. Strict protection, which would refuse the
 * compaction, goes up to the trigger.
 */
const mostWithProtection = (context: Context, wanted: Tokens | undefined): number => {
  const { session, profile, layout, measure, before, budget } = context;
  const trigger = countedBelowTrigger(session, profile);
  if (wanted === undefined || trigger === undefined) return Number.MAX_SAFE_INTEGER;
  const gain = Math.floor(before * profile.maxRemainingShare);
  const free = profile.protection === 'strict' ? 0 : roomAhead(session, profile, layout, measure);
  return Math.max(wanted, Math.min(trigger - free, gain, budget ?? trigger));
};

const roomAhead = (session: OpenSession, profile: Profile, layout: Layout, measure: Measure): number => {
  const from = protectedFrom(session, layout, profile, measure);
  const first = session.entries[from];
  const turns = first ? session.turn - first.turn + 1 : 1;
  return Math.ceil((measure.tokensFrom(from) / Math.max(1, turns)) * TURNS_AHEAD);
};

const raisedTarget = (
  from: Tokens | undefined,
  target: Tokens,
  { keepBy, keepRecentTurns }: Profile,
  shrunk: Shrunk | undefined,
): RaisedTarget | undefined => {
  if (from === undefined || target <= from) return undefined;
  if (shrunk?.kept === 0 || (shrunk && keepBy === 'tokens'))
    return { from, reason: 'the newest atomic group and what every request carries leave no room for it' };
  const kept = keepBy === 'turns' ? `${shrunk?.kept ?? keepRecentTurns} protected turns` : 'protected tokens';
  return { from, reason: `the ${kept} stay whole` };
};

const yieldOf = (shrunk: Shrunk, countedUnreduced: Tokens, countedLimit: Tokens): ProtectionYield => {
  const all =
    shrunk.by === 'turns' ? `${shrunk.wanted} protected turns` : `the newest ${shrunk.wanted} tokens`;
  return {
    ...shrunk,
    countedUnreduced,
    countedLimit,
    reason:
      `with ${all} the context would take ${countedUnreduced} counted tokens; ` +
      `at most ${countedLimit} leave room for ${TURNS_AHEAD} more turns below the trigger`,
  };
};

/** Returns the floor if only the newest group can be separated: open calls hold everything after them. */
const floorOfAll = ({ floor }: Context, size: number, budget: Tokens): SkipReason => {
  const held = { part: 'messages that cannot be parted', tokens: Tokens(Math.max(0, size - floor.tokens)) };
  return {
    rule: 'floor-too-high',
    countedFloor: Tokens(size),
    countedBudget: budget,
    parts: [...floor.parts, held],
  };
};

const none = (reason: SkipReason): NoPlan => ({ kind: 'none', reason });
