import { sumTokens } from '@app/kernel';
import type { ContextOverflow, RequestComposed, RequestRefused } from '../events.js';
import type { OpenSession } from '../state.js';

/** Remembers how the newest request was answered, and what it carried: nothing of the context changes. */
export const takeAnswer = (
  state: OpenSession,
  event: RequestComposed | RequestRefused | ContextOverflow,
): OpenSession => {
  const contributed = sumTokens((event.data.contributions ?? []).map(({ tokens }) => tokens));
  const rung = event.type === 'RequestComposed' ? event.data.ladder?.rung : state.request.rung;
  const overflow =
    state.overflow && event.type === 'RequestComposed'
      ? { ...state.overflow, isRetried: true }
      : state.overflow;
  return { ...state, lastAnswer: event, request: { contributed, rung }, overflow };
};
