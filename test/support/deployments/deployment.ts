import type { LogLine } from './processes/service-process.js';

/** A part that can be killed separately. */
export type Part = 'api' | 'worker' | 'event-store' | 'postgres';

/** A running service, independent of how its parts are spread over processes. */
export type Deployment = {
  /** URL of the API, which stays the same after a kill. */
  readonly url: string;
  /** API key of an admin of the operator's tenant. */
  readonly adminKey: string;
  /** What can be killed here; `api` alone if its worker and servers end with it. */
  readonly parts: readonly Part[];
  /** `kill -9`, and after `meanwhile` a new start, as its operator would; resolves when it is ready again. */
  kill(part: Part, meanwhile?: () => Promise<void>): Promise<void>;
  /** How parts have exited unexpectedly: exit code and last log lines. */
  readonly unexpectedExits: readonly string[];
  /** What the service's own programs have logged since they were first started. */
  logs(): readonly LogLine[];
  /** Ends everything in good order, with its data; resolves with the exit codes of the service's own programs. May be repeated. */
  stop(): Promise<readonly (number | null)[]>;
};
