import { AppError, Tokens } from '@app/kernel';
import type { Profile } from '../profiles/profile.js';

/** The capacity of a session: the window, and its share for input. */
export type Limits = {
  /** The model's context window; 0 is unlimited: nothing ever triggers. */
  readonly window: Tokens;
  /** `assumed` is the profile's policy for unknown models. */
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
  const cap = Math.min(profile.maxOutputTokens, Math.floor(limits.window * profile.maxOutputShare));
  const reserve = Math.min(limits.maxOutput ?? cap, cap);
  if (reserve >= limits.window) {
    throw new AppError(
      'invalid-settings',
      `a window of ${limits.window} tokens leaves no room beside ${reserve} tokens reserved for the answer: ` +
        'use a larger window or a smaller maxOutputTokens or maxOutputShare',
    );
  }
  return Tokens(reserve);
};

/** Tokens that a request may fill: `undefined` where the window is unlimited. */
export const usableBudget = (limits: Limits, profile: Profile): Tokens | undefined => {
  if (limits.window === 0) return undefined;
  const beside = Tokens(limits.window - outputReserve(limits, profile));
  return limits.inputLimit === undefined ? beside : Tokens(Math.min(beside, limits.inputLimit));
};

/** The least that an API takes as the length of an answer (OpenAI's Responses). */
const OUTPUT_LEAST = 16;
/** A model's longest answer where neither it nor a window is known. */
const OUTPUT_DEFAULT = 8_192;

/** Tokens that a request asks for as the length of its answer, where there is room for them. */
export const outputWanted = (limits: Limits, profile: Profile): Tokens =>
  Tokens(outputReserve(limits, profile) || limits.maxOutput || OUTPUT_DEFAULT);

/** The shortest answer that a request may be left with, in tokens; 0 in an unlimited window. */
export const outputMinimum = (limits: Limits, profile: Profile): Tokens => {
  if (limits.window === 0) return Tokens(0);
  const share = Math.floor(limits.window * profile.minOutputShare);
  const least = Math.max(OUTPUT_LEAST, Math.min(profile.minOutputTokens, share));
  return Tokens(Math.min(least, outputWanted(limits, profile)));
};

/**
 * The most billed tokens that a request may hold, its answer shortened to the minimum; `undefined` where the window is
 * unlimited.
 */
export const inputMost = (limits: Limits, profile: Profile): Tokens | undefined => {
  if (limits.window === 0) return undefined;
  const beside = Math.max(0, limits.window - outputMinimum(limits, profile));
  return Tokens(Math.min(beside, limits.inputLimit ?? beside));
};

/** Returns the base of all shares of a profile: the window, or the model's input limit if it is smaller. */
const inputWindow = ({ window, inputLimit }: Pick<Limits, 'window' | 'inputLimit'>): Tokens =>
  inputLimit === undefined ? window : Tokens(Math.min(window, inputLimit));

/** Returns the size in tokens at a share of the input window. */
export const thresholdTokens = (limits: Pick<Limits, 'window' | 'inputLimit'>, share: number): Tokens =>
  Tokens(Math.ceil(inputWindow(limits) * share));

/** The occupancy, in billed tokens, at which each state begins. */
export type StateThresholds = {
  readonly warning: Tokens;
  readonly critical: Tokens;
  readonly blocking: Tokens;
};

/**
 * Where the states of a session begin. A trigger that is set by a reserve, or by the usable budget, comes before `critical`:
 * a share of the window does not take away room that the profile gives.
 */
export const stateThresholds = (limits: Limits, profile: Profile): StateThresholds => {
  const [warning, required, blocked] = [
    profile.warnAtShare,
    profile.requireAtShare,
    profile.blockAtShare,
  ].map((share) => thresholdTokens(limits, share));
  const first = profile.triggerBy === 'share' ? 0 : (triggerTokens(limits, profile) ?? 0);
  const critical = Tokens(Math.max(required ?? 0, first));
  return {
    warning: warning ?? Tokens(0),
    critical,
    blocking: Tokens(Math.max(blocked ?? 0, critical)),
  };
};

/**
 * The least occupancy that pulls the trigger of the profile: `undefined` where the window is unlimited. A share is
 * reached, a reserve or the usable budget is exceeded; either way it is pulled from here on.
 */
export const triggerTokens = (limits: Limits, profile: Profile): Tokens | undefined => {
  const usable = usableBudget(limits, profile);
  if (usable === undefined) return undefined;
  switch (profile.triggerBy) {
    case 'share':
      return thresholdTokens(limits, profile.triggerAtShare);
    case 'reserve': {
      const window = inputWindow(limits);
      return above(window - Math.min(profile.triggerReserveTokens, window / 2));
    }
    case 'usable-budget':
      return above(usable);
  }
};

/** Whether `occupancy` pulls the trigger; never in an unlimited window. */
export const pullsTrigger = (occupancy: number, limits: Limits, profile: Profile): boolean =>
  occupancy >= (triggerTokens(limits, profile) ?? Number.POSITIVE_INFINITY);

/** Whether `occupancy` has reached the threshold of a state; never in an unlimited window. */
export const reachesState = (
  occupancy: number,
  limits: Limits,
  profile: Profile,
  state: keyof StateThresholds,
): boolean => limits.window > 0 && occupancy >= stateThresholds(limits, profile)[state];

/** The least number of tokens that exceeds `size`. */
const above = (size: number): Tokens => Tokens(Math.floor(size) + 1);

/** Returns the size that a compaction aims at; 0 without a window. */
export const targetTokens = (limits: Limits, profile: Profile): Tokens | undefined => {
  const trigger = triggerTokens(limits, profile);
  return trigger === undefined ? undefined : Tokens(Math.floor(trigger * profile.targetShare));
};

/** The longest summary that the profile allows in this window. */
export const summaryBudget = (limits: Limits, profile: Profile): Tokens =>
  limits.window === 0
    ? Tokens(profile.maxSummaryTokens)
    : Tokens(Math.min(profile.maxSummaryTokens, Math.floor(limits.window * profile.maxSummaryShare)));
