import type { Real } from '@app/kernel';
import { NO_TRAITS, type TextTraits, TRAITS } from './traits.js';

/**
 * The sums of all samples of a model, as the normal equations of a weighted regression in thousands of tokens: upper
 * triangle of the matrix, row by row, and the right side.
 */
export type Moments = { readonly matrix: readonly Real[]; readonly side: readonly Real[] };

/** Parameters: the overhead in thousand tokens, and billed tokens per unit of each trait. */
const COUNT = 1 + TRAITS.length;
/** Standard deviations of the parameters around their prior. */
const BEGINNING_DEVIATIONS = [4, 0.25, 0.2, 0.06, 0.3, 0.3, 0.4, 10];
/** Standard deviation of a sample: a share of its size, at least this many thousand tokens. */
const NOISE = { share: 0.02, least: 0.02 };
/** A sample further off than this number of its standard deviations weighs less. */
const ROBUST_FROM = 4;
/** Standard deviation of the overhead's change between two complete requests, in thousands of tokens. */
const DRIFT_DEVIATION = 4;
/** Factor by which older samples lose weight with each new sample. */
const MEMORY = 0.98;

export const NO_MOMENTS: Moments = {
  matrix: Array.from({ length: (COUNT * (COUNT + 1)) / 2 }, () => 0),
  side: Array.from({ length: COUNT }, () => 0),
};

/** A sample: the traits of its content, the tokens that the provider reported, and whether it is a complete request. */
export type FitSample = { readonly traits: TextTraits; readonly reported: number; readonly isWhole: boolean };

/**
 * Returns the moments with one more sample. `expected` is the estimate of it from earlier samples, if there are any;
 * `prior` is the one of `fitOf`.
 */
export const withSample = (
  before: Moments,
  { traits, reported, isWhole }: FitSample,
  expected: number | undefined,
  prior: number,
): Moments => {
  const { matrix, side } = isWhole ? drifted(before, prior) : before;
  const row = rowOf(traits, isWhole);
  const size = reported / 1_000;
  const deviation = Math.hypot(NOISE.share * (traits.tokens / 1_000), NOISE.least);
  const usual = isWhole ? Math.hypot(deviation, DRIFT_DEVIATION) : deviation;
  const off = expected === undefined ? 0 : Math.abs(expected / 1_000 - size);
  const robust = off > ROBUST_FROM * usual ? (ROBUST_FROM * usual) / off : 1;
  const weight = robust / deviation ** 2;
  return {
    matrix: matrix.map((value, at) => rounded(value * MEMORY + weight * productAt(row, at))),
    side: side.map((value, at) => rounded(value * MEMORY + weight * (row[at] ?? 0) * size)),
  };
};

/**
 * Returns the moments with less certainty about the overhead, because a client may have changed it. Adds noise to the
 * variance of that parameter alone, which leaves every estimate in place (inverse by Sherman and Morrison).
 */
const drifted = (moments: Moments, prior: number): Moments => {
  const { left, right } = equationsOf(moments, prior);
  const [beside = []] = left;
  const share = DRIFT_DEVIATION ** 2 / (1 + DRIFT_DEVIATION ** 2 * (beside[0] ?? 0));
  const less = (row: number): number => share * (beside[row] ?? 0);
  return {
    matrix: moments.matrix.map((value, at) => {
      const [row, column] = ROWS_AND_COLUMNS[at] ?? [0, 0];
      return value - less(row) * (beside[column] ?? 0);
    }),
    side: moments.side.map((value, row) => value - less(row) * (right[0] ?? 0)),
  };
};

/** The result of a fit: billed tokens of overhead per request, and per unit of each trait. */
export type Fit = { readonly overhead: number; readonly weights: TextTraits };

/** Returns the most likely parameters. `prior` is the model family's number of billed tokens per counted one. */
export const fitOf = (moments: Moments, prior: number): Fit => {
  const { left, right } = equationsOf(moments, prior);
  const equations = left.map((row, at) => [...row, right[at] ?? 0]);
  const [overhead = 0, ...weights] = solve(equations);
  const found = Object.fromEntries(TRAITS.map((trait, at) => [trait, weights[at] ?? 0]));
  return { overhead: overhead * 1_000, weights: { ...NO_TRAITS, ...found } };
};

/** Returns the normal equations, the prior included. */
const equationsOf = ({ matrix, side }: Moments, prior: number) => {
  const beginning = [0, ...TRAITS.map((trait) => (trait === 'tokens' ? prior : 0))];
  const certainties = BEGINNING_DEVIATIONS.map((deviation) => 1 / deviation ** 2);
  return {
    left: beginning.map((_, row) =>
      beginning.map((__, column) => {
        const known = matrix[placeOf(Math.min(row, column), Math.max(row, column))] ?? 0;
        return row === column ? known + (certainties[row] ?? 1) : known;
      }),
    ),
    right: beginning.map((begun, row) => (side[row] ?? 0) + (certainties[row] ?? 1) * begun),
  };
};

const rowOf = (traits: TextTraits, isWhole: boolean): readonly number[] => [
  isWhole ? 1 : 0,
  ...TRAITS.map((trait) => traits[trait] / 1_000),
];

/** Returns the index of a cell of the upper triangle. */
const placeOf = (row: number, column: number): number => row * COUNT - (row * (row - 1)) / 2 + (column - row);

const ROWS_AND_COLUMNS = Array.from({ length: COUNT }, (_, row) =>
  Array.from({ length: COUNT - row }, (__, more) => [row, row + more] as const),
).flat();
const productAt = (row: readonly number[], at: number): number => {
  const [a, b] = ROWS_AND_COLUMNS[at] ?? [0, 0];
  return (row[a] ?? 0) * (row[b] ?? 0);
};

/** Significant digits of stored numbers, so that a replay reads the numbers that were used. */
const rounded = (value: number): number => Number(value.toPrecision(10));

/** Solves linear equations, each a row with its right side last, by elimination: they are positive definite by the beginning. */
const solve = (equations: readonly (readonly number[])[]): readonly number[] => {
  const rows = equations.map((row) => [...row]);
  const size = rows.length;
  for (let pivot = 0; pivot < size; pivot += 1) {
    const first = rows[pivot] ?? [];
    for (const row of rows.slice(pivot + 1)) {
      const factor = (row[pivot] ?? 0) / (first[pivot] ?? 1);
      for (let at = pivot; at <= size; at += 1) row[at] = (row[at] ?? 0) - factor * (first[at] ?? 0);
    }
  }
  const found: number[] = [];
  for (let at = size - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? [];
    const known = found.reduce((sum, value, place) => sum + value * (row[at + 1 + place] ?? 0), 0);
    found.unshift(((row[size] ?? 0) - known) / (row[at] ?? 1));
  }
  return found;
};
