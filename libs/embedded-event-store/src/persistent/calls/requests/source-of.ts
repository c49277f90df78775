import type { Source } from '../../../streams/reads/read-plan.js';
import type { shared } from '../../../wire/definitions.js';
import { streamNameOf } from '../../../wire/values.js';

type Options = {
  hasAll(): boolean;
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
};

/** What a request about a persistent subscription names. @throws {GrpcFailure} where it names nothing. */
export const sourceOf = (options: Options): Source =>
  options.hasAll() ? { kind: 'all' } : namedSource(options.getStreamIdentifier());

/** $all by its name is $all. */
export const namedSource = (identifier: shared.StreamIdentifier | undefined): Source => {
  const stream = streamNameOf(identifier);
  return stream === '$all' ? { kind: 'all' } : { kind: 'stream', stream };
};
