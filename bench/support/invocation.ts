import { parseArgs } from 'node:util';
import { invariant } from '@app/kernel';

export type Invocation = {
  /** Less data and fewer rounds: to see that it works, not to quote. */
  readonly quick: boolean;
  /** Empty, and removed by whoever started the benchmark. */
  readonly folder: string;
};

/** Another event store to measure beside the embedded one, such as an EventStoreDB. */
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
