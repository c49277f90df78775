import { sumTokens } from '@app/kernel';
import type { ContextOverflow, RequestComposed, RequestRefused } from '../../events.js';
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
  const { ladder, tokens, format } = event.data;
  const request = { contributed, rung: ladder?.rung, billedTokens: ladder?.tokens ?? tokens, format };
  const requests = (state.ladder?.requests ?? 0) + 1;
  return {
    ...state,
    lastAnswer: event,
    request,
    overflow,
    ladder: ladder && { requests, rung: ladder.rung },
  };
};
