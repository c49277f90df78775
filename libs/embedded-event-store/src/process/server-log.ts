import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';

/** One thing that happened to the server, for a structured log: names and numbers, no content and no secret. */
export type ServerLogEntry =
  | {
      readonly event: 'started';
      readonly durationMs: number;
      readonly address: string;
      readonly tls: boolean;
      /** The end of the log: bytes that were ever written to it. */
      readonly logPosition: number;
      readonly users: number;
    }
  | { readonly event: 'stopped'; readonly durationMs: number; readonly calls: number }
  | {
      readonly event: 'refused' | 'failed';
      readonly method: string;
      readonly code: string;
      readonly peer: string;
    };
export type ServerLog = (entry: ServerLogEntry) => void;

const REFUSALS: readonly status[] = [status.UNAUTHENTICATED, status.PERMISSION_DENIED];
const FAILURES: readonly status[] = [
  status.INTERNAL,
  status.UNKNOWN,
  status.DATA_LOSS,
  status.RESOURCE_EXHAUSTED,
];

/** Writes down the calls that were refused, and those that failed through no fault of the caller; counts all. */
export class CallLog {
  calls = 0;

  constructor(private readonly serverLog: ServerLog) {}

  readonly interceptor: ServerInterceptor = (method, call) => {
    this.calls += 1;
    return new ServerInterceptingCall(call, {
      sendStatus: (end, next) => {
        const code = end.code ?? status.UNKNOWN;
        const event = REFUSALS.includes(code) ? 'refused' : FAILURES.includes(code) ? 'failed' : undefined;
        if (event) this.serverLog({ event, method: method.path, code: status[code], peer: call.getPeer() });
        next(end);
      },
    });
  };
}
