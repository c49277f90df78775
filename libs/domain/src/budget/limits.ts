import { AppError, Tokens } from '@app/kernel';
import { findModel, type ModelCatalog } from '../models/catalog.js';
import type { Profile } from '../profiles/profile.js';

/** The capacity of a session: the window, and its share for input. */
export type Limits = {
  /** The model's context window; 0 is unlimited: nothing ever triggers. */
  readonly window: Tokens;
  /** `assumed` is the profile's policy for unknown models. */
  readonly windowSource: 'given' | 'model' | 'assumed';
  /** The model's maximum output, if known. */
  readonly maxOutput?: Tokens;
  /** The model's input limit, if smaller than the window. */
  readonly inputLimit?: Tokens;
};

/**
 * Returns the tokens reserved for the answer: the model's maximum output, or the profile's cap if smaller.
 *
 * @throws {AppError} `invalid-settings` if the reserve leaves no room for input.
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

/** Returns the tokens that a request may fill; `undefined` with an unlimited window. */
export const usableBudget = (limits: Limits, profile: Profile): Tokens | undefined => {
  if (limits.window === 0) return undefined;
  const beside = Tokens(limits.window - outputReserve(limits, profile));
  return limits.inputLimit === undefined ? beside : Tokens(Math.min(beside, limits.inputLimit));
};

/** The least that an API takes as the length of an answer (OpenAI's Responses). */
const OUTPUT_LEAST = 16;
/** A model's longest answer where neither it nor a window is known. */
const OUTPUT_DEFAULT = 8_192;

/** Returns the output limit that a request asks for, as far as there is room. */
export const outputWanted = (limits: Limits, profile: Profile): Tokens =>
  Tokens(outputReserve(limits, profile) || limits.maxOutput || OUTPUT_DEFAULT);

/** The shortest answer that a request may be left with, in tokens; 0 in an unlimited window. */
export const outputMinimum = (limits: Limits, profile: Profile): Tokens => {
  if (limits.window === 0) return Tokens(0);
  const share = Math.floor(limits.window * profile.minOutputShare);
  const least = Math.max(OUTPUT_LEAST, Math.min(profile.minOutputTokens, share));
  return Tokens(Math.min(least, outputWanted(limits, profile)));
};

/** Returns the most billed tokens of a request with the minimum answer; `undefined` with an unlimited window. */
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
 * Returns the thresholds of the states. A trigger by reserve or usable budget precedes `critical`: a share of the
 * window does not reduce the room that the profile gives.
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
 * Returns the lowest occupancy that fires the profile's trigger; `undefined` with an unlimited window. A share must
 * be reached; a reserve or the usable budget must be exceeded.
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

/** The model name of a session that was opened without one. */
export const UNKNOWN_MODEL = 'unknown';

/**
 * Returns the limits of a session: from the given window, else the model's, else the profile's assumption.
 *
 * @throws {AppError} `unknown-window` if the model is unknown and the profile assumes no window.
 */
export const limitsOf = (catalog: ModelCatalog, model: string, profile: Profile, window?: number): Limits => {
  const known = findModel(catalog, model)?.record;
  const maxOutput = known?.outputMax !== undefined && { maxOutput: known.outputMax };
  if (window !== undefined) return { window: Tokens(window), windowSource: 'given', ...maxOutput };
  if (known) {
    const inputLimit = known.inputMax !== undefined && { inputLimit: known.inputMax };
    return { window: known.window, windowSource: 'model', ...maxOutput, ...inputLimit };
  }
  if (profile.unknownWindow !== 'refuse') {
    return { window: Tokens(profile.unknownWindow), windowSource: 'assumed' };
  }
  throw new AppError(
    'unknown-window',
    `the window of model "${model.slice(0, 64)}" is unknown: give it in tokens`,
  );
};

export type BudgetState = 'normal' | 'warning' | 'critical' | 'blocking';

/** Returns the state at `occupancy` billed tokens; a threshold belongs to the state above it. */
export const budgetState = (occupancy: number, limits: Limits, profile: Profile): BudgetState =>
  limits.window === 0 ? 'normal' : stateAt(occupancy, stateThresholds(limits, profile));

/** The same, of thresholds that are known. */
export const stateAt = (occupancy: number, { warning, critical, blocking }: StateThresholds): BudgetState => {
  if (occupancy >= blocking) return 'blocking';
  if (occupancy >= critical) return 'critical';
  return occupancy >= warning ? 'warning' : 'normal';
};
