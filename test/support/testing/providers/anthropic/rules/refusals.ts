import { invalid, type Refusal } from '../failures/refusal.js';

/** Faults in the provider's order; only the first one is reported. */
export type Refusals = Generator<Refusal, void, undefined>;

/** Yields unknown members, with their path. */
export function* extraInputs(where: string, value: object, known: readonly string[]): Refusals {
  for (const name of Object.keys(value))
    if (!known.includes(name)) {
      const path = where === '' ? name : `${where}.${name}`;
      yield invalid(`${path}: Extra inputs are not permitted`);
    }
}
