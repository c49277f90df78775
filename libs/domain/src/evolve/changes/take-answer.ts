import { sumTokens } from '@app/kernel';
import type { EventOf } from '../../session/events.js';
import { withRequest } from '../../session/request-parts.js';
import type { OpenSession } from '../../session/state.js';

/** Stores the result and the contributions of the newest request. The context is unchanged. */
export const takeAnswer = (
  state: OpenSession,
  event: EventOf<'RequestComposed'> | EventOf<'RequestRefused'> | EventOf<'ContextOverflowed'>,
): OpenSession => {
  if (event.type === 'ContextOverflowed') return { ...state, lastAnswer: event };
  const contributed = sumTokens((event.data.contributions ?? []).map(({ tokens }) => tokens));
  if (event.type === 'RequestRefused') {
    return { ...state, lastAnswer: event, request: { ...state.request, contributed } };
  }
  const overflow = state.overflow && { ...state.overflow, isRetried: true };
  const { ladder, occupancy, format, requestId, revision, omittedTokens = 0 } = event.data;
  const rung = ladder?.rung;
  const request = { contributed, rung, billedTokens: ladder?.tokens ?? occupancy, format };
  const used = (state.ladder?.requests ?? 0) + 1;
  const record = {
    requestId,
    revision,
    messages: state.messages,
    contributed,
    ...(rung && { rung }),
    omittedTokens,
    isVoid: false,
    isBilled: false,
  };
  return {
    ...state,
    lastAnswer: event,
    request,
    overflow,
    ladder: ladder && { requests: used, rung: ladder.rung },
    requests: withRequest(state.requests, record),
  };
};
