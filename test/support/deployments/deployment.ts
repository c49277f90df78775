import type { LogLine } from './processes/service-process.js';

/** What can be killed by itself. */
export type Part = 'api' | 'worker' | 'event-store' | 'postgres';

/** The service as somebody runs it; the same service, however its parts are spread over processes. */
export type Deployment = {
  /** Of the API; the same after a part was killed. */
  readonly url: string;
  /** Of an administrator of the operator's tenant. */
  readonly adminKey: string;
  /** What can be killed here; in one process that is `api`, and everything with it. */
  readonly parts: readonly Part[];
  /** `kill -9`, and after `meanwhile` a new start, as whoever looks after it would; resolves when it is ready again. */
  kill(part: Part, meanwhile?: () => Promise<void>): Promise<void>;
  /** How often parts have ended although nobody has killed them. */
  readonly endedByThemselves: number;
  /** What the service's own programs have logged since they were first started. */
  logs(): readonly LogLine[];
  /** Ends everything in good order, with its data; resolves with the exit codes of the service's own programs. May be repeated. */
  stop(): Promise<readonly (number | null)[]>;
};
