import { Tokens } from '@app/kernel';
import { calibrationInForce } from '../budget/calibration/calibration.js';
import { outputMinimum, outputWanted } from '../budget/limits.js';
import type { OpenSession } from '../session/state.js';
import { occupancy } from './occupancy.js';

/**
 * Safety factors of the estimate: for a whole request and for content since the last bill, with and without a
 * calibration. New messages vary more than the whole.
 */
const MORE = { calibrated: 1.05, calibratedSince: 1.25, learning: 1.4 };

/**
 * Returns the tokens available for the answer to a request of `size` billed tokens; at least the profile's minimum.
 * The unbilled part of the size is increased by the error of estimates. Pure. `undefined` in an unlimited window.
 */
export const answerRoom = (session: OpenSession, size: Tokens): Tokens | undefined => {
  const { limits, profile } = session;
  if (limits.window === 0) return undefined;
  const left = limits.window - size;
  const sure = limits.window - Math.ceil(sizeAtMost(session, size));
  // A provider without any bill may never report usage: at most half of the estimated rest is held back.
  const believed = isUnheard(session) ? Math.max(sure, Math.floor(left / 2)) : sure;
  return Tokens(Math.max(outputMinimum(limits, profile), Math.min(left, believed)));
};

/** The length of the answer that a request of `size` billed tokens asks for: the whole reserve, or the room that is left. */
export const maxOutputOf = (session: OpenSession, size: Tokens = occupancy(session)): Tokens => {
  const wanted = outputWanted(session.limits, session.profile);
  return Tokens(Math.min(wanted, answerRoom(session, size) ?? wanted));
};

/** Returns the most tokens that a provider may bill for a request of `size` tokens. */
const sizeAtMost = (session: OpenSession, size: Tokens): number => {
  const { usage } = session;
  const isCalibrated = calibrationInForce(session) !== undefined;
  if (!usage) return size * (isCalibrated ? MORE.calibrated : MORE.learning);
  const billed = Math.min(size, Math.max(0, usage.tokens - usage.contributed));
  return billed + (size - billed) * (isCalibrated ? MORE.calibratedSince : MORE.learning);
};

const isUnheard = ({ usage, calibrations, model }: OpenSession): boolean =>
  usage === undefined && calibrations.every((one) => one.model !== model);
