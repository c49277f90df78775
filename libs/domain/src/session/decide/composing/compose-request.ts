import { AppError } from '@app/kernel';
import { manifestOf } from '../../../context/manifest.js';
import type { ComposeRequestCommand } from '../../commands.js';
import type { SessionEvent } from '../../events.js';
import type { OpenSession } from '../../state.js';
import { type RequestVerdict, requestVerdict } from './request-verdict.js';

/**
 * Decides, under the budget, whether the request that was composed may go out. The same question again, with nothing
 * between, has been answered: nothing is recorded.
 *
 * @throws {AppError} `invalid-settings` for an override without a reason.
 */
export const composeRequest = (
  { data }: ComposeRequestCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const { override } = data;
  if (override && override.reason.trim() === '') {
    throw new AppError('invalid-settings', 'an override needs a reason: it is recorded with it');
  }
  const verdict = requestVerdict(session);
  if (verdict.kind === 'may-go') return composed(data, session, verdict);
  if (!override || !verdict.waysOut.includes('override')) return refused(session, verdict);
  const { occupancy, threshold } = verdict;
  return [
    {
      type: 'CompactionOverridden',
      data: { turn: session.turn, reason: override.reason, occupancy, threshold },
    },
    ...composed(data, session, verdict),
  ];
};

const composed = (
  { format, revision, notes, digest }: ComposeRequestCommand['data'],
  session: OpenSession,
  { occupancy: tokens, window, state }: RequestVerdict,
): readonly SessionEvent[] => {
  const { lastAnswer, turn, compactions } = session;
  const isKnown =
    lastAnswer?.type === 'RequestComposed' &&
    lastAnswer.data.format === format &&
    lastAnswer.data.digest === digest;
  if (isKnown) return [];
  const proof = { format, revision, turn, tokens, window, state, epoch: compactions };
  return [{ type: 'RequestComposed', data: { ...proof, stages: manifestOf(session).edits, notes, digest } }];
};

const refused = (
  { lastAnswer, turn }: OpenSession,
  verdict: Extract<RequestVerdict, { kind: 'refused' }>,
): readonly SessionEvent[] => {
  if (lastAnswer?.type === 'RequestRefused') return [];
  const { kind: _, ...facts } = verdict;
  return [{ type: 'RequestRefused', data: { turn, ...facts } }];
};
