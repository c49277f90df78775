import { invalid, type Refusal } from '../failures/refusal.js';

/** What a rule finds, in the order in which the provider would say it; only the first is ever said. */
export type Refusals = Generator<Refusal, void, undefined>;

/** Members that the provider does not know, where they stand. */
export function* extraInputs(where: string, value: object, known: readonly string[]): Refusals {
  for (const name of Object.keys(value))
    if (!known.includes(name)) {
      const path = where === '' ? name : `${where}.${name}`;
      yield invalid(`${path}: Extra inputs are not permitted`);
    }
}
