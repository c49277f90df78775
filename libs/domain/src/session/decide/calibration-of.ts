import { sumTokens, Tokens } from '@app/kernel';
import { type Calibration, calibrate } from '../../budget/calibration/calibration.js';
import { estimatedTokens } from '../../budget/occupancy.js';
import { viewOf } from '../../context/view/view.js';
import { isSameModel } from '../../models/names.js';
import type { UsageReported } from '../events.js';
import { messagesMeasured, promptTokens } from '../folding/changing/report-usage.js';
import type { OpenSession } from '../state.js';

/**
 * What a bill teaches of the model's tokens: `undefined` where it measures nothing, or the request left out what cannot be
 * told afterwards. `session` has the answer that was billed already.
 */
export const calibrationOf = (
  session: OpenSession,
  data: UsageReported['data'],
  perThousand: number,
): Calibration | undefined => {
  const measured = messagesMeasured(session, data);
  const reported = promptTokens(data);
  if (measured === undefined || reported === 0 || !isSameModel(data.model, session.model)) return undefined;
  if (viewOf(session).freed > 0) return undefined;
  const answer = session.entries.find(
    ({ position, message }) => position === measured - 1 && message.role === 'assistant',
  );
  const from = answer?.position ?? measured;
  const since = session.entries.filter(({ position }) => position >= from);
  const counted = Tokens(
    Math.max(0, estimatedTokens(session) - sumTokens(since.map(({ tokens }) => tokens))),
  );
  const before = session.calibrations.find(({ model }) => model === session.model);
  const sample = { counted, reported, hasGrown: session.usage?.isBilled === true };
  return calibrate(before, session.model, sample, perThousand);
};
