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

export const readInvocation = (): Invocation => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  invariant(folder, 'a benchmark needs a folder: run it with `npm run bench`');
  return { quick: values.quick, folder };
};
