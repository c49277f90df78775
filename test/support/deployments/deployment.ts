import type { LogLine } from './processes/service-process.js';

/** A part that can be killed separately. */
export type Part = 'api' | 'worker' | 'event-store' | 'postgres';

/** A running service, independent of how its parts are spread over processes. */
export type Deployment = {
  /** URL of the API, which stays the same after a kill. */
  readonly url: string;
  /** API key of an admin of the operator's tenant. */
  readonly adminKey: string;
  /** Processes that can be killed; `api` alone if its worker and servers end with it. */
  readonly parts: readonly Part[];
  /** `kill -9`, and after `meanwhile` a new start, as its operator would; resolves when it is ready again. */
  kill(part: Part, meanwhile?: () => Promise<void>): Promise<void>;
  /** Unexpected exits of parts: exit code and last log lines. */
  readonly unexpectedExits: readonly string[];
  /** Log lines of the service's own programs since their first start. */
  logs(): readonly LogLine[];
  /** Ends everything in good order, with its data; resolves with the exit codes of the service's own programs. May be repeated. */
  stop(): Promise<readonly (number | null)[]>;
};
