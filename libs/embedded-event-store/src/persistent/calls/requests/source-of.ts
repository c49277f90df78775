import type { Source } from '../../../streams/reads/read-plan.js';
import type { shared } from '../../../wire/definitions.js';
import { streamNameOf } from '../../../wire/values.js';

type Options = {
  hasAll(): boolean;
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
};

/** Returns the source of a request. @throws {GrpcFailure} if the request names none. */
export const sourceOf = (options: Options): Source =>
  options.hasAll() ? { kind: 'all' } : namedSource(options.getStreamIdentifier());

/** Maps the stream name `$all` to $all. */
export const namedSource = (identifier: shared.StreamIdentifier | undefined): Source => {
  const stream = streamNameOf(identifier);
  return stream === '$all' ? { kind: 'all' } : { kind: 'stream', stream };
};
