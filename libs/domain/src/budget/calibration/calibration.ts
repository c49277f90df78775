import { sumTokens, Tokens } from '@app/kernel';
import type { Limits } from '../limits.js';

/**
 * How the tokens of a model, as its provider reports them, relate to those counted here: so many for a thousand, and what
 * requests carry that nobody has told this engine of, such as tools that a client adds by itself. Whole numbers, so that
 * a replay comes to the same.
 */
export type Calibration = {
  readonly model: string;
  /** Reported tokens for a thousand counted here. */
  readonly perThousand: number;
  /** Tokens that every request carries besides. */
  readonly overhead: Tokens;
  /** Requests that it rests on. */
  readonly samples: number;
  /** The newest of them: what was counted of it, and what was reported. */
  readonly counted: Tokens;
  readonly reported: Tokens;
  /** By how many thousandths of `reported` the calibration before it was wrong about it; at most 1,000. */
  readonly errorPerThousand: number;
  /** Growth of requests that it was learned from, counted and reported. */
  readonly growth: { readonly counted: number; readonly reported: number };
};

/** A prompt as it was counted here, and as its provider reported it: cached parts included, the answer not. */
export type PromptSample = {
  readonly counted: Tokens;
  readonly reported: Tokens;
  /** Whether the request before it was of the same epoch, so that this one has grown out of it. */
  readonly hasGrown: boolean;
};

/** Between half a token and two and a half for each that is counted: beyond that something else was measured. */
const [LEAST, MOST] = [700, 2_500] as const;
/** One request's growth counts as at most three tokens and at least half a token for each that was counted. */
const [GROWTH_LEAST, GROWTH_MOST] = [0.5, 3] as const;
/** The multiplier of the family weighs like so many tokens of growth, until growth itself has told more. */
const PRIOR_WEIGHT = 16_000;
/** Growth that is remembered: from here on the older half of it counts for half. */
const REMEMBERED = 64_000;
/** How much of what the newest request says of the overhead is believed, in hundredths. */
const NEWEST_PERCENT = 25;
/** Of the window. What is reported wrongly must not make a session refuse all requests: its provider still may. */
const OVERHEAD_SHARE = 0.25;
/** A calibration is believed from so many requests on: one that is odd changes nothing. */
const SAMPLES_MIN = 3;

/** The calibration after one more request; `prior` is the multiplier of the model's family, per thousand. */
export const calibrate = (
  before: Calibration | undefined,
  model: string,
  { counted, reported, hasGrown }: PromptSample,
  prior: number,
): Calibration => {
  const expected = before ? sizeBy(before, counted) : scaled(prior, counted);
  const growth = hasGrown && before ? grown(before, counted, reported) : (before?.growth ?? NO_GROWTH);
  const learned = (prior * PRIOR_WEIGHT + growth.reported * 1_000) / (PRIOR_WEIGHT + growth.counted);
  const perThousand = Math.min(MOST, Math.max(LEAST, Math.round(learned)));
  const beside = Math.max(0, reported - scaled(perThousand, counted));
  const overhead = before
    ? Math.round((before.overhead * (100 - NEWEST_PERCENT) + beside * NEWEST_PERCENT) / 100)
    : beside;
  return {
    model,
    perThousand,
    overhead: Tokens(overhead),
    samples: (before?.samples ?? 0) + 1,
    counted,
    reported,
    errorPerThousand: Math.min(
      1_000,
      Math.round((Math.abs(expected - reported) / Math.max(1, reported)) * 1_000),
    ),
    growth,
  };
};
const NO_GROWTH = { counted: 0, reported: 0 };

const grown = (before: Calibration, counted: number, reported: number): Calibration['growth'] => {
  const more = counted - before.counted;
  if (more <= 0) return before.growth;
  const billed = Math.min(Math.max(reported - before.reported, more * GROWTH_LEAST), more * GROWTH_MOST);
  const sum = {
    counted: before.growth.counted + more,
    reported: before.growth.reported + Math.round(billed),
  };
  if (sum.counted <= REMEMBERED) return sum;
  return { counted: Math.round(sum.counted / 2), reported: Math.round(sum.reported / 2) };
};

const scaled = (perThousand: number, counted: number): number => Math.round((counted * perThousand) / 1_000);

/** What a provider will report of a prompt that was counted as so much. */
export const sizeBy = ({ perThousand, overhead }: Calibration, counted: number): Tokens =>
  sumTokens([overhead, scaled(perThousand, counted)]);

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
  const found = calibrations.find((one) => one.model === model && one.samples >= SAMPLES_MIN);
  if (!found || limits.window === 0) return found;
  const most = Math.floor(limits.window * OVERHEAD_SHARE);
  return found.overhead <= most ? found : { ...found, overhead: Tokens(most) };
};

/** A whole request, in tokens of its provider. */
export const requestTokens = (session: Calibrated, counted: number): Tokens => {
  const calibration = calibrationInForce(session);
  return calibration ? sizeBy(calibration, counted) : Tokens(counted);
};

/** A part of a request, in tokens of its provider. */
export const partTokens = (session: Calibrated, counted: number): number => {
  const calibration = calibrationInForce(session);
  return calibration ? scaled(calibration.perThousand, counted) : counted;
};

/** How much may be counted of a request so that its provider reports no more than `tokens`; nothing where the overhead fills it. */
export const countedWithin = (session: Calibrated, tokens: Tokens): Tokens => {
  const calibration = calibrationInForce(session);
  if (!calibration) return tokens;
  const { perThousand, overhead } = calibration;
  return Tokens(Math.max(0, Math.floor(((tokens - overhead) * 1_000) / perThousand)));
};
