import { isWellCalibrated } from '../budget/calibration/calibration.js';
import { inputMost, stateThresholds, triggerTokens, UNKNOWN_MODEL, usableBudget } from '../budget/limits.js';
import type { OpenSession } from '../session/state.js';
import { occupancy } from './occupancy.js';

/** Between which shares of an estimate the truth is taken to lie. On recorded sessions nine of ten estimates are as good. */
const COUNTED = { least: 0.75, most: 1.7 };
/** The range with enough bills for a calibration. */
const CALIBRATED = { least: 0.95, most: 1.05 };

/**
 * Returns whether to ask the provider for the size of the next request: the unbilled estimate could be on the other
 * side of a threshold or of the window.
 */
export const isSizeInDoubt = (session: OpenSession): boolean => {
  const { model, limits, profile, usage } = session;
  if (profile.tokenCounting !== 'provider' || limits.window === 0 || model === UNKNOWN_MODEL) return false;
  const size = occupancy(session);
  const known = usage ? Math.min(size, Math.max(0, usage.tokens - usage.contributed)) : 0;
  const share = isWellCalibrated(session) ? CALIBRATED : COUNTED;
  const least = known + (size - known) * share.least;
  const most = known + (size - known) * share.most;
  return thresholdsOf(session).some((threshold) => least < threshold && threshold <= most);
};

/** Sizes at which something happens. */
const thresholdsOf = ({ limits, profile }: OpenSession): readonly number[] => [
  ...Object.values(stateThresholds(limits, profile)),
  ...[
    triggerTokens(limits, profile),
    usableBudget(limits, profile),
    inputMost(limits, profile),
    limits.window,
  ].filter((size) => size !== undefined),
];
