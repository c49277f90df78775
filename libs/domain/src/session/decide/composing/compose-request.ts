import { AppError, requestIdOf, sumTokens } from '@app/kernel';
import { countedSaving } from '../../../budget/counted-saving.js';
import { sentTokens } from '../../../budget/occupancy.js';
import { shownSession } from '../../../context/view/shown-session.js';
import type { ComposeRequestCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { carrying } from './carrying.js';
import { planRequest, type RequestPlan } from './plan-request.js';

/**
 * Decides, under the budget, whether the request that was composed may go out. The same question again, with nothing
 * between, has been answered: nothing is recorded.
 *
 * @throws {AppError} `invalid-settings` for an override without a reason.
 */
export const composeRequest = (
  { data }: ComposeRequestCommand,
  state: OpenSession,
): readonly SessionEvent[] => {
  const { override, contributions = [] } = data;
  if (override && override.reason.trim() === '') {
    throw new AppError('invalid-settings', 'an override needs a reason: it is recorded with it');
  }
  const session = carrying(state, sumTokens(contributions.map(({ tokens }) => tokens)));
  const plan = planRequest(session, override !== undefined);
  switch (plan.kind) {
    case 'may-go':
    case 'shortened':
      return composed(data, session, plan);
    case 'overflow':
      return overflowed(session, plan);
    case 'refused': {
      if (!override || !plan.waysOut.includes('override')) return refused(data, session, plan);
      const { occupancy, threshold } = plan;
      const overridden = { turn: session.turn, reason: override.reason, occupancy, threshold };
      return [{ type: 'CompactionOverridden', data: overridden }, ...composed(data, session, plan)];
    }
  }
};

type Data = ComposeRequestCommand['data'];
type Planned<Kind extends RequestPlan['kind']> = Extract<RequestPlan, { readonly kind: Kind }>;

const composed = (
  { format, revision, notes, digest, contributions = [], failedProviders = [] }: Data,
  session: OpenSession,
  plan: Planned<'may-go' | 'shortened' | 'refused'>,
): readonly SessionEvent[] => {
  const { lastAnswer, turn, compactions } = session;
  const isKnown =
    lastAnswer?.type === 'RequestComposed' &&
    lastAnswer.data.format === format &&
    lastAnswer.data.digest === digest;
  if (isKnown) return [];
  const { occupancy, window, state } = plan;
  const counted = sentTokens(session);
  const shortening = plan.kind === 'shortened' ? plan.shortening : undefined;
  const ladder = shortening && {
    rung: shortening.rung,
    masked: shortening.masked.length,
    droppedGroups: shortening.droppedGroups,
    tokens: shortening.tokens,
  };
  const countedSaved = countedSaving(session);
  const stages = [...shownSession(session).edits, ...(shortening?.rungs ?? [])];
  return [
    {
      type: 'RequestComposed',
      data: {
        requestId: requestIdOf(revision, digest),
        ...{ format, revision, turn, occupancy, counted, window, state, epoch: compactions, stages, notes },
        digest,
        ...(countedSaved > 0 && { countedSaved }),
        ...(contributions.length > 0 && { contributions }),
        ...(failedProviders.length > 0 && { failedProviders }),
        ...(ladder && { ladder }),
      },
    },
  ];
};

const refused = (
  { contributions = [] }: Data,
  { lastAnswer, turn }: OpenSession,
  { kind: _, ...facts }: Planned<'refused'>,
): readonly SessionEvent[] => {
  if (lastAnswer?.type === 'RequestRefused' && lastAnswer.data.occupancy === facts.occupancy) return [];
  return [
    { type: 'RequestRefused', data: { turn, ...facts, ...(contributions.length > 0 && { contributions }) } },
  ];
};

const overflowed = (
  { lastAnswer, turn }: OpenSession,
  { rung, tokens, budget, parts }: Planned<'overflow'>,
): readonly SessionEvent[] => {
  if (lastAnswer?.type === 'ContextOverflow' && lastAnswer.data.tokens === tokens) return [];
  const because = 'ladder-used-up';
  return [{ type: 'ContextOverflow', data: { turn, because, rung, tokens, budget, parts } }];
};
