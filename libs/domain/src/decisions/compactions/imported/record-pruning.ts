import { sumTokens, Tokens } from '@app/kernel';
import type { EventOf } from '../../../session/events.js';
import { pairingIn } from '../../../turns/cuts.js';
import { visibleResults } from '../../../turns/visible-results.js';
import { placeholderTokens } from '../../../view/recall/recall-tool.js';
import type { Decide } from '../../commands.js';
import { occupancyAfter } from '../../state-after.js';

/**
 * Imports tool outputs cleared by the session's own agent. It is a fact, so that no stage rule applies; outputs that
 * are gone or covered already are ignored.
 */
export const recordPruning: Decide<'RecordPruning'> = ({ data: { callIds, imported } }, session) => {
  const cleared = new Set(callIds);
  const shown = visibleResults(session, pairingIn(session)).filter(({ isDropped }) => !isDropped);
  const gone = shown.filter(({ reference }) => cleared.has(reference.callId));
  if (gone.length === 0) return [];
  const stay = shown.filter(({ reference }) => !cleared.has(reference.callId));
  const event: EventOf<'ToolOutputsPruned'> = {
    type: 'ToolOutputsPruned',
    data: {
      outputs: gone.map(({ reference, tokens }) => ({
        ...reference,
        freed: Tokens(Math.max(0, tokens - placeholderTokens(session))),
      })),
      kept: sumTokens(stay.map(({ tokens }) => tokens)),
      pruned: sumTokens(gone.map(({ tokens }) => tokens)),
      turn: session.turn,
      occupancyAfter: Tokens(0),
      imported,
    },
  };
  return [{ ...event, data: { ...event.data, occupancyAfter: occupancyAfter(session, event) } }];
};
