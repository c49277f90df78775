import { type OpenSession, type Plan, type Profile, runningPlan } from '@app/domain';
import { sumTokens } from '@app/kernel';
import type { CompactionStory, StoryEvent } from './compaction-story.js';
import { eventsOf } from './compaction-story.js';
import type { Covered, WhyCut } from './explanation.js';

type Started = StoryEvent<'CompactionStarted'>;

/** Why the last attempt cut where it did, and what it covered. */
export type ExplainedPlan = {
  readonly cut: WhyCut;
  readonly covered: Covered | null;
  /** As this edition makes it out from what the start recorded; `undefined` where it makes out something else. */
  readonly plan: Plan | undefined;
};

/** @param session as the start of the attempt left it. */
export const explainPlan = (
  story: CompactionStory,
  started: Started,
  session: OpenSession,
  profile: Profile,
): ExplainedPlan => {
  const plan = runningPlan(session);
  const result = eventsOf(story, 'CompactionCompleted')[0]?.data;
  const { stages, cut, splitTurn, countedBefore, target } = started.data;
  return {
    plan,
    covered: coveredBy(started, plan, result?.covered ?? null),
    cut: {
      stages,
      cut,
      splitTurn,
      carried: result?.opening.carried?.message.id ?? plan?.carried?.message.id ?? null,
      ...protectionOf(profile, plan, started.data.turn),
      countedBefore,
      target,
      protection: started.data.protection ?? null,
      targetRaised: started.data.targetRaised ?? null,
      countedSummaryLimit: plan && stages.includes('summarize') ? plan.countedSummaryLimit : null,
    },
  };
};

const protectionOf = (
  { keepBy, keepRecentTurns, keepRecentTokens }: Profile,
  plan: Plan | undefined,
  turn: number,
): Pick<WhyCut, 'protectedTurns' | 'protectedTokens'> => {
  if (keepBy === 'turns') {
    const kept = plan ? wholeTurns(plan, turn - keepRecentTurns) : null;
    return { protectedTurns: { wanted: keepRecentTurns, kept }, protectedTokens: null };
  }
  const kept = plan ? sumTokens(plan.retained.map(({ tokens }) => tokens)) : null;
  return { protectedTurns: null, protectedTokens: { wanted: keepRecentTokens, kept } };
};

/** How many of the turns after `turn` stay whole. */
const wholeTurns = ({ retention }: Plan, turn: number): number =>
  retention.filter((one) => one.turn > turn && one.turn > 0 && one.rule === 'verbatim').length;

type Range = StoryEvent<'CompactionCompleted'>['data']['covered'];

/** The recorded range wins: ids are given only where they agree with it. */
const coveredBy = ({ data }: Started, plan: Plan | undefined, recorded: Range): Covered | null => {
  const ids = plan?.covered.map(({ message }) => message.id) ?? [];
  const [first] = ids;
  const last = ids.at(-1);
  const range =
    recorded ?? (first && last ? { from: first, to: last, messages: data.coveredMessages } : null);
  if (!range) return null;
  const { from, to, messages } = range;
  const agrees = first === from && last === to && ids.length === messages;
  return { messages, tokens: data.coveredTokens, from, to, ids: agrees ? ids : null };
};
