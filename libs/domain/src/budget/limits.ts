import { AppError, Tokens } from '@app/kernel';
import type { Profile } from '../compaction/profile.js';

/** What a session may fill: the window, and what of it is left for input. */
export type Limits = {
  /** The model's context window; 0 is unlimited: nothing ever triggers. */
  readonly window: Tokens;
  /** Who said so; `assumed` is the profile's policy for models that nobody knows. */
  readonly windowSource: 'given' | 'model' | 'assumed';
  /** The model's longest answer, where it is known. */
  readonly maxOutput?: Tokens;
  /** The model's own limit for input, where it is smaller than the window. */
  readonly inputLimit?: Tokens;
};

/**
 * Tokens kept free for the answer: the model's longest answer, or the profile's cap where that is smaller.
 *
 * @throws {AppError} `invalid-settings` where the reserve would leave no room for input.
 */
export const outputReserve = (limits: Limits, profile: Profile): Tokens => {
  if (limits.window === 0) return Tokens(0);
  const cap = Math.min(profile.outputCap, Math.floor(limits.window * profile.outputShare));
  const reserve = Math.min(limits.maxOutput ?? cap, cap);
  if (reserve >= limits.window) {
    throw new AppError(
      'invalid-settings',
      `a window of ${limits.window} tokens leaves no room beside ${reserve} tokens reserved for the answer: ` +
        'use a larger window or a smaller outputCap or outputShare',
    );
  }
  return Tokens(reserve);
};

/** Tokens that a request may fill: `undefined` where the window is unlimited. */
export const usableBudget = (limits: Limits, profile: Profile): Tokens | undefined => {
  if (limits.window === 0) return undefined;
  return limits.inputLimit ?? Tokens(limits.window - outputReserve(limits, profile));
};

/** The size at which a share of the window is reached. */
export const thresholdTokens = ({ window }: Pick<Limits, 'window'>, share: number): Tokens =>
  Tokens(Math.ceil(window * share));

/**
 * The least occupancy that pulls the trigger of the profile: `undefined` where the window is unlimited. A share is
 * reached, a reserve or the usable budget is exceeded; either way it is pulled from here on.
 */
export const triggerTokens = (limits: Limits, profile: Profile): Tokens | undefined => {
  const usable = usableBudget(limits, profile);
  if (usable === undefined) return undefined;
  switch (profile.triggerBy) {
    case 'share':
      return thresholdTokens(limits, profile.triggerAt);
    case 'reserve':
      return above(limits.window - Math.min(profile.triggerReserve, limits.window / 2));
    case 'usable-budget':
      return above(usable);
  }
};

/** Whether `occupancy` pulls the trigger; never in an unlimited window. */
export const pullsTrigger = (occupancy: number, limits: Limits, profile: Profile): boolean =>
  occupancy >= (triggerTokens(limits, profile) ?? Number.POSITIVE_INFINITY);

/** Whether `occupancy` has reached a share of the window; never in an unlimited one. */
export const reachesShare = (occupancy: number, { window }: Pick<Limits, 'window'>, share: number): boolean =>
  window > 0 && occupancy >= window * share;

/** The least number of tokens that exceeds `size`. */
const above = (size: number): Tokens => Tokens(Math.floor(size) + 1);

/** The size that a compaction aims at. Without a window there is none to aim at. */
export const targetTokens = (limits: Limits, profile: Profile): Tokens | undefined => {
  const trigger = triggerTokens(limits, profile);
  return trigger === undefined ? undefined : Tokens(Math.floor(trigger * profile.targetShare));
};

/** The longest summary that the profile allows in this window. */
export const summaryBudget = (limits: Limits, profile: Profile): Tokens =>
  limits.window === 0
    ? Tokens(profile.summaryTokensMax)
    : Tokens(Math.min(profile.summaryTokensMax, Math.floor(limits.window * profile.summaryShare)));
