import { AppError, defined, pick, sumTokens } from '@app/kernel';
import { countedSaving } from '../../occupancy/counted-limits.js';
import { estimatedTokens } from '../../occupancy/occupancy.js';
import type { SessionEvent } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';
import { shownSession } from '../../view/shown-session.js';
import { viewOf } from '../../view/view.js';
import type { CommandOf, Decide } from '../commands.js';
import { planRequest, type RequestPlan } from './plan-request.js';
import { largestMessage, remediesFor } from './remedies.js';
import { withContributed } from './request-verdict.js';

/**
 * Decides, under the budget, whether the request that was composed may go out. The same question again, with nothing
 * between, has been answered: nothing is recorded.
 *
 * @throws {AppError} `invalid-settings` for an override without a reason.
 */
export const composeRequest: Decide<'ComposeRequest'> = ({ data }, state) => {
  const { override, contributions = [], ladder } = data;
  if (override && override.reason.trim() === '') {
    throw new AppError('invalid-settings', 'an override needs a reason: it is recorded with it');
  }
  const session = withContributed(state, sumTokens(contributions.map(({ tokens }) => tokens)));
  const plan = planRequest(session, { isOverridden: override !== undefined, ladder });
  switch (plan.kind) {
    case 'may-go':
    case 'shortened':
      return composed(data, session, plan);
    case 'overflow':
      return overflowed(data, session, plan);
    case 'refused': {
      if (!override || !plan.mayOverride) return refused(data, session, plan);
      const { occupancy, threshold } = plan;
      const overridden = { turn: session.turn, reason: override.reason, occupancy, threshold };
      return [{ type: 'CompactionOverridden', data: overridden }, ...composed(data, session, plan)];
    }
  }
};

type Data = CommandOf<'ComposeRequest'>['data'];
type Planned<Kind extends RequestPlan['kind']> = Extract<RequestPlan, { readonly kind: Kind }>;
type Outgoing = Planned<'may-go' | 'shortened' | 'refused'>;

const composed = (
  {
    requestId,
    format,
    revision,
    notes,
    digest,
    parts,
    contributions = [],
    failedProviders = [],
    maxOutput,
    ladder: wanted,
  }: Data,
  session: OpenSession,
  plan: Outgoing,
): readonly SessionEvent[] => {
  const { lastAnswer, turn, compactions } = session;
  const isKnown =
    lastAnswer?.type === 'RequestComposed' &&
    lastAnswer.data.format === format &&
    lastAnswer.data.digest === digest;
  if (isKnown) return [];
  const { occupancy, window, state } = plan;
  const counted = estimatedTokens(session);
  const shortening = plan.kind === 'shortened' ? plan.shortening : undefined;
  const ladder = shortening && {
    rung: shortening.rung,
    masked: shortening.masked.length,
    ...pick(shortening, 'droppedGroups', 'truncated', 'tokens'),
  };
  const countedSaved = countedSaving(session);
  const omittedTokens = viewOf(session).freed;
  const stages = [...shownSession(session).edits, ...(shortening?.rungs ?? [])];
  return [
    {
      type: 'RequestComposed',
      data: {
        requestId,
        ...{ format, revision, turn, occupancy, counted, window, state, epoch: compactions, stages, notes },
        digest,
        parts,
        ...(countedSaved > 0 && { countedSaved }),
        ...(omittedTokens !== 0 && { omittedTokens }),
        ...(contributions.length > 0 && { contributions }),
        ...(failedProviders.length > 0 && { failedProviders }),
        ...defined({ maxOutput, ladder, ladderOption: wanted }),
      },
    },
    ...ladderUse(session, plan),
  ];
};

/** Records once that a session needs the ladder, and once that it no longer does. */
const ladderUse = ({ ladder, turn }: OpenSession, plan: Outgoing): readonly SessionEvent[] => {
  if (plan.kind === 'shortened') {
    const { rung } = plan.shortening;
    const { occupancy, window } = plan;
    return ladder ? [] : [{ type: 'LadderEntered', data: { turn, rung, occupancy, window } }];
  }
  return ladder ? [{ type: 'LadderExited', data: { turn, requests: ladder.requests } }] : [];
};

const refused = (
  { contributions = [], canSummarize = true }: Data,
  session: OpenSession,
  { kind: _, mayOverride: __, ...facts }: Planned<'refused'>,
): readonly SessionEvent[] => {
  const { lastAnswer, turn } = session;
  if (lastAnswer?.type === 'RequestRefused' && lastAnswer.data.occupancy === facts.occupancy) return [];
  const remedies = remediesFor(session, { canSummarize });
  const largest = largestMessage(session);
  return [
    {
      type: 'RequestRefused',
      data: {
        turn,
        ...facts,
        remedies,
        ...(largest && { largest }),
        ...(contributions.length > 0 && { contributions }),
      },
    },
  ];
};

const overflowed = (
  { canSummarize = true }: Data,
  session: OpenSession,
  plan: Planned<'overflow'>,
): readonly SessionEvent[] => {
  const { lastAnswer } = session;
  if (lastAnswer?.type === 'ContextOverflowed' && lastAnswer.data.tokens === plan.tokens) return [];
  return [contextOverflowOf(session, plan, canSummarize)];
};

/** Returns the event that no request of this turn fits. */
export const contextOverflowOf = (
  session: OpenSession,
  { reason, rung, tokens, budget, parts }: Planned<'overflow'>,
  canSummarize: boolean,
): Extract<SessionEvent, { readonly type: 'ContextOverflowed' }> => {
  const largest = largestMessage(session);
  const remedies = remediesFor(session, { canSummarize });
  const facts = { reason, rung, tokens, budget, parts, ...(largest && { largest }), remedies };
  return { type: 'ContextOverflowed', data: { turn: session.turn, ...facts } };
};
