import { occupancy } from '../../occupancy/occupancy.js';
import { viewOf } from '../../view/view.js';
import { calibrationBy } from '../calibration-of.js';
import type { Decide } from '../commands.js';
import { withContributed } from './request-verdict.js';

/** Records the provider's count or its failure, and the estimate. */
export const countRequest: Decide<'CountRequest'> = ({ data: { contributed, answer } }, session) => {
  const { turn, model } = session;
  const estimated = occupancy(withContributed(session, contributed));
  const common = { turn, model, estimated, contributed };
  if ('tokens' in answer) {
    const { tokens } = answer;
    const omittedTokens = viewOf(session).freed;
    const whole = { prompt: tokens, tokens, messages: session.messages, answer: undefined };
    const measure = { ...whole, contributed, omittedTokens, isBilled: false };
    const calibration = calibrationBy(withContributed(session, contributed), measure, SAME);
    const counted = { ...common, counter: 'provider', tokens } as const;
    const omitted = omittedTokens !== 0 && { omittedTokens };
    return [
      { type: 'RequestCounted', data: { ...counted, ...omitted, ...(calibration && { calibration }) } },
    ];
  }
  const { failure } = answer;
  return [{ type: 'RequestCounted', data: { ...common, counter: 'estimate', tokens: estimated, failure } }];
};

/** Billed tokens per thousand counted ones of an unknown model. */
const SAME = 1_000;
