import type { Source } from '../../streams/reading/read-plan.js';
import type { shared } from '../../wire/definitions.js';
import { streamNameOf } from '../../wire/values.js';

type Options = {
  hasAll(): boolean;
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
};

/** What a request about a persistent subscription names. @throws {GrpcFailure} where it names nothing. */
export const sourceOf = (options: Options): Source =>
  options.hasAll()
    ? { kind: 'all' }
    : { kind: 'stream', stream: streamNameOf(options.getStreamIdentifier()) };
