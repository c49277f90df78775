import { ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';

/** A server log entry: names and numbers, no content and no secrets. */
export type ServerLogEntry =
  | {
      readonly event: 'started';
      readonly durationMs: number;
      readonly address: string;
      readonly tls: boolean;
      /** The end of the log: the number of bytes ever written to it. */
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

/** Logs rejected calls and server errors; counts all calls. */
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
