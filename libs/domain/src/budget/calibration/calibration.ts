import { type Positive, sumTokens, Tokens } from '@app/kernel';
import type { Limits } from '../limits.js';
import { fitOf, type Moments, NO_MOMENTS, withSample } from './fit.js';
import { NO_TRAITS, sumTraits, type TextTraits, TRAITS, type TraitWeights } from './traits.js';

/**
 * The relation of billed to counted tokens of a model: a multiplier in thousandths by text traits, and the fixed
 * overhead of requests, such as tools that a client adds. Whole numbers, computed from `moments` with every bill and
 * recorded with it, so that a replay gives the same result.
 */
export type Calibration = {
  readonly model: string;
  /** Billed tokens for a thousand counted ones of such content as was billed. */
  readonly perThousand: Positive;
  /** Billed tokens for a thousand of each trait of a content. */
  readonly weights: TraitWeights;
  /** Billed tokens of overhead per request. */
  readonly overhead: Tokens;
  /** Bills that it rests on. */
  readonly samples: Positive;
  /** The prompt of the newest of them: counted, and billed. */
  readonly counted: Tokens;
  readonly reported: Tokens;
  /** By how many thousandths of `reported` the prompt was estimated wrongly before its bill arrived; at most 1,000. */
  readonly errorPerThousand: number;
  /** All that was billed. */
  readonly seen: TextTraits;
  /** All that it was learned from. */
  readonly moments: Moments;
};

/** Content that one bill covers for the first time. */
export type BillSample = {
  readonly traits: TextTraits;
  /** Billed tokens of it. */
  readonly reported: number;
  /** `true` for a complete request, minus content billed earlier; `false` for messages alone. */
  readonly isWhole: boolean;
  /** The whole prompt that the bill is for. */
  readonly prompt: { readonly counted: Tokens; readonly reported: Tokens };
};

/** Plausible range of billed tokens per thousand counted ones. */
const [LEAST, MOST] = [400, 2_500] as const;
/** The most that the frames of a thousand blocks are believed to take. */
const FRAME_MOST = 60_000;
/** Messages count as at most three billed tokens, and at least four tenths of one, for each that was counted. */
const [SHARE_LEAST, SHARE_MOST] = [0.4, 3] as const;
/** Upper limit of the overhead of a request, in tokens. */
const BESIDE_MOST = 60_000;
/**
 * Upper limit of the overhead as a share of the window, so that wrong bills cannot make a session refuse all
 * requests.
 */
const OVERHEAD_SHARE = 0.25;
/** A calibration is always in force from this number of bills on. */
const SAMPLES_MIN = 3;
/**
 * With fewer bills it is in force while its overhead is within this share of the window, or these tokens without a
 * window.
 */
const PLAUSIBLE_OVERHEAD = { share: 0.1, tokens: 20_000 };
const PLAUSIBLE_RATIO = { least: 600, most: 2_000 };
/** Outliers weigh less from this number of bills on. */
const ROBUST_FROM_SAMPLES = 4;

/** The calibration after one more bill; `prior` is the multiplier of the model's family, per thousand. */
export const calibrate = (
  before: Calibration | undefined,
  model: string,
  { traits, reported, isWhole, prompt }: BillSample,
  prior: number,
): Calibration => {
  const samples = (before?.samples ?? 0) + 1;
  const counted = traits.tokens;
  const expected = (before ? sizeOf(before, traits) : (counted * prior) / 1_000) + besides(before, isWhole);
  const most = counted * SHARE_MOST + (isWhole ? BESIDE_MOST : 0);
  const believed = Math.min(most, Math.max(counted * SHARE_LEAST, reported));
  const old = before?.moments ?? NO_MOMENTS;
  const sample = { traits, reported: believed, isWhole };
  const moments =
    counted > 0
      ? withSample(old, sample, samples >= ROBUST_FROM_SAMPLES ? expected : undefined, prior / 1_000)
      : old;
  const { overhead, weights: found } = fitOf(moments, prior / 1_000);
  const seen = sumTraits([before?.seen ?? NO_TRAITS, traits]);
  const weights = { ...NO_TRAITS };
  for (const trait of TRAITS) weights[trait] = bounded(found[trait], trait === 'blocks' ? FRAME_MOST : MOST);
  return {
    model,
    perThousand: perThousandOf(weights, seen),
    weights,
    seen,
    overhead: Tokens(Math.max(0, Math.round(overhead))),
    samples,
    counted: prompt.counted,
    reported: prompt.reported,
    errorPerThousand: Math.min(
      1_000,
      Math.round((Math.abs(expected - reported) / Math.max(1, prompt.reported)) * 1_000),
    ),
    moments,
  };
};

const besides = (before: Calibration | undefined, isWhole: boolean): number =>
  isWhole ? (before?.overhead ?? 0) : 0;

const perThousandOf = (weights: TextTraits, seen: TextTraits): number =>
  seen.tokens === 0
    ? clamped(weights.tokens)
    : clamped(Math.round((sizeOf({ weights }, seen) * 1_000) / seen.tokens));

const clamped = (perThousand: number): number => Math.min(MOST, Math.max(LEAST, perThousand));

/** Never -0, which JSON does not keep. */
const bounded = (weight: number, most: number): number =>
  Math.min(most, Math.max(-most, Math.round(weight * 1_000))) + 0;

const scaled = (perThousand: number, counted: number): number => Math.round((counted * perThousand) / 1_000);

/** Billed tokens of a content. */
export const sizeOf = ({ weights }: Pick<Calibration, 'weights'>, traits: TextTraits): number => {
  const size = TRAITS.reduce((sum, trait) => sum + traits[trait] * weights[trait], 0);
  return Math.round(Math.min(MOST * traits.tokens, Math.max(LEAST * traits.tokens, size)) / 1_000);
};

/** Billed tokens of a prompt that was counted as so much. */
export const sizeBy = (
  { perThousand, overhead }: Pick<Calibration, 'perThousand' | 'overhead'>,
  counted: number,
): Tokens => sumTokens([overhead, scaled(perThousand, counted)]);

/** Calibrations with one for its model in the place of the one before. */
export const withCalibration = (all: readonly Calibration[], one: Calibration): readonly Calibration[] => [
  ...all.filter(({ model }) => model !== one.model),
  one,
];

type Calibrated = {
  readonly model: string;
  readonly calibrations: readonly Calibration[];
  readonly limits: Pick<Limits, 'window'>;
};

/** The calibration for the model of a session, once it can be believed; of its overhead no more than leaves room for work. */
export const calibrationInForce = ({ model, calibrations, limits }: Calibrated): Calibration | undefined => {
  const found = calibrations.find((one) => one.model === model);
  if (!found || (found.samples < SAMPLES_MIN && !isPlausible(found, limits))) return undefined;
  if (limits.window === 0) return found;
  const most = Math.floor(limits.window * OVERHEAD_SHARE);
  return found.overhead <= most ? found : { ...found, overhead: Tokens(most) };
};

/** Returns whether estimates rest on a calibration in force with enough bills. */
export const isWellCalibrated = (session: Calibrated): boolean =>
  (calibrationInForce(session)?.samples ?? 0) >= SAMPLES_MIN;

const isPlausible = ({ overhead, perThousand }: Calibration, { window }: Pick<Limits, 'window'>): boolean => {
  const most = window === 0 ? PLAUSIBLE_OVERHEAD.tokens : window * PLAUSIBLE_OVERHEAD.share;
  return overhead <= most && perThousand >= PLAUSIBLE_RATIO.least && perThousand <= PLAUSIBLE_RATIO.most;
};

/** A whole request, in billed tokens. */
export const requestTokens = (session: Calibrated, counted: number): Tokens => {
  const calibration = calibrationInForce(session);
  return calibration ? sizeBy(calibration, counted) : Tokens(counted);
};

/** A part of a request, in billed tokens. */
export const partTokens = (session: Calibrated, counted: number): number => {
  const calibration = calibrationInForce(session);
  return calibration ? scaled(calibration.perThousand, counted) : counted;
};

/** The same of content whose traits are known. */
export const contentTokens = (session: Calibrated, traits: TextTraits): number => {
  const calibration = calibrationInForce(session);
  return calibration ? sizeOf(calibration, traits) : traits.tokens;
};

/** Returns the counted tokens of a request that bills at most `tokens`; 0 if the overhead fills it. */
export const countedWithin = (session: Calibrated, tokens: Tokens): Tokens => {
  const calibration = calibrationInForce(session);
  if (!calibration) return tokens;
  const { perThousand, overhead } = calibration;
  return Tokens(Math.max(0, Math.floor(((tokens - overhead) * 1_000) / perThousand)));
};
