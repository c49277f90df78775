import { parseArgs } from 'node:util';
import { invariant } from '@app/kernel';

export type Invocation = {
  /** Less data and fewer rounds, as a smoke test. */
  readonly quick: boolean;
  /** An empty folder, which `scripts/bench.mjs` removes. */
  readonly folder: string;
};

/** Another event store to measure, such as EventStoreDB. */
export const OTHER_EVENT_STORE = process.env.PALIMPSEST_BENCH_EVENTSTORE_URL;

/** Returns the cases that a variable of the environment names, with commas; all of them without it. */
export const chosenBy = <Case extends { readonly name: string }>(
  variable: string,
  cases: readonly Case[],
): readonly Case[] => {
  const names = (process.env[variable] ?? '').split(',').filter(Boolean);
  const unknown = names.filter((name) => !cases.some((one) => one.name === name));
  const known = cases.map(({ name }) => name).join(', ');
  invariant(unknown.length === 0, `${variable} names ${unknown.join(', ')}: name some of ${known}`);
  return names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name));
};

export const readInvocation = (): Invocation => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  invariant(folder, 'a benchmark needs a folder: run it with `npm run bench`');
  return { quick: values.quick, folder };
};
