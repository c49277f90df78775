import type { Covered, WhyCut } from '@app/contract';
import { type OpenSession, type Plan, type Profile, runningPlan } from '@app/domain';
import { sumTokens } from '@app/kernel';
import type { CompactionStory, StoryEvent } from './compaction-story.js';
import { eventsOf } from './compaction-story.js';

type Started = StoryEvent<'CompactionStarted'>;

/** The cut of the last attempt, its reason, and the covered messages. */
export type ExplainedPlan = {
  readonly cut: WhyCut;
  readonly covered: Covered | null;
  /** Rebuilt from the recorded start; `undefined` if this version computes another plan. */
  readonly plan: Plan | undefined;
};

/** @param session state after the start of the attempt. */
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

/** Returns the number of turns after `turn` that are retained whole. */
const wholeTurns = ({ retention }: Plan, turn: number): number =>
  retention.filter((one) => one.turn > turn && one.turn > 0 && one.rule === 'verbatim').length;

type Range = StoryEvent<'CompactionCompleted'>['data']['covered'];

/** Returns the recorded range, with message IDs only if the rebuilt plan agrees. */
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
