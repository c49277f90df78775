import { withCalibration } from '../../budget/calibration/calibration.js';
import type { RequestCounted } from '../../session/events.js';
import type { OpenSession } from '../../session/state.js';

/** Folds a provider's count like a bill of the whole request; a failed count has no effect. */
export const takeCount = (state: OpenSession, { data }: RequestCounted): OpenSession => {
  if (data.counter !== 'provider') return state;
  const { tokens, contributed, calibration, omittedTokens = 0 } = data;
  const { messages, request } = state;
  return {
    ...state,
    ...(calibration && { calibrations: withCalibration(state.calibrations, calibration) }),
    request: { ...request, contributed },
    usage: {
      ...{ prompt: tokens, tokens, messages, answer: undefined, contributed },
      ...{ omittedTokens, isBilled: false },
    },
  };
};
