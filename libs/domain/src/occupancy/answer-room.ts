import { Tokens } from '@app/kernel';
import { calibrationInForce } from '../budget/calibration/calibration.js';
import { outputMinimum, outputWanted } from '../budget/limits.js';
import type { OpenSession } from '../session/state.js';
import { occupancy } from './occupancy.js';

/**
 * By how much a provider may bill more than was estimated: of a whole request and of what came since the last bill, once
 * enough was learned of it, and before. New messages are fewer and less alike than all of them.
 */
const MORE = { calibrated: 1.05, calibratedSince: 1.25, learning: 1.4 };

/**
 * The longest answer, in tokens, that there is room for beside a request of `size` billed tokens; never less than the
 * profile's minimum. What was estimated of the size, and not billed, is taken to be larger by as much as estimates are wrong.
 * A pure function of the session and the size. `undefined` in an unlimited window.
 */
export const answerRoom = (session: OpenSession, size: Tokens): Tokens | undefined => {
  const { limits, profile } = session;
  if (limits.window === 0) return undefined;
  const left = limits.window - size;
  const sure = limits.window - Math.ceil(sizeAtMost(session, size));
  // A provider that has never billed anything may never do so: half of what is left by the estimate is not held back.
  const believed = isUnheard(session) ? Math.max(sure, Math.floor(left / 2)) : sure;
  return Tokens(Math.max(outputMinimum(limits, profile), Math.min(left, believed)));
};

/** The length of the answer that a request of `size` billed tokens asks for: the whole reserve, or the room that is left. */
export const maxOutputOf = (session: OpenSession, size: Tokens = occupancy(session)): Tokens => {
  const wanted = outputWanted(session.limits, session.profile);
  return Tokens(Math.min(wanted, answerRoom(session, size) ?? wanted));
};

/** What a provider may bill for a request of `size` tokens at most. */
const sizeAtMost = (session: OpenSession, size: Tokens): number => {
  const { usage } = session;
  const isCalibrated = calibrationInForce(session) !== undefined;
  if (!usage) return size * (isCalibrated ? MORE.calibrated : MORE.learning);
  const billed = Math.min(size, Math.max(0, usage.tokens - usage.contributed));
  return billed + (size - billed) * (isCalibrated ? MORE.calibratedSince : MORE.learning);
};

const isUnheard = ({ usage, calibrations, model }: OpenSession): boolean =>
  usage === undefined && calibrations.every((one) => one.model !== model);
