import { sumTokens } from '@app/kernel';
import { estimatedTokens } from '../../../budget/occupancy.js';
import type { ContextOverflow, RequestComposed, RequestRefused } from '../../events.js';
import { withRequest } from '../../request-record.js';
import type { OpenSession } from '../../state.js';

/** Remembers how the newest request was answered, and what it carried: nothing of the context changes. */
export const takeAnswer = (
  state: OpenSession,
  event: RequestComposed | RequestRefused | ContextOverflow,
): OpenSession => {
  if (event.type === 'ContextOverflow') return { ...state, lastAnswer: event };
  const contributed = sumTokens((event.data.contributions ?? []).map(({ tokens }) => tokens));
  if (event.type === 'RequestRefused') {
    return { ...state, lastAnswer: event, request: { ...state.request, contributed } };
  }
  const overflow = state.overflow && { ...state.overflow, isRetried: true };
  const rung = event.data.ladder?.rung;
  const carrying = { ...state, lastAnswer: event, request: { contributed, rung }, overflow };
  const { requestId, revision, counted } = event.data;
  const request = {
    ...{ requestId, revision, messages: state.messages, contributed },
    ...(rung && { rung }),
    leftOut: Math.max(0, estimatedTokens(carrying) - counted),
    ...{ isVoid: false, isBilled: false },
  };
  return { ...carrying, requests: withRequest(state.requests, request) };
};
