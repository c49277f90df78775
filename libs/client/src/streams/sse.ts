import { isPassing } from '../transport/backoff.js';
import { PalimpsestError } from '../transport/errors.js';
import { path, type Query } from '../transport/path.js';
import { unexpected } from '../transport/read-problem.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { EventParser, type ParsedEvent } from './event-parser.js';

/** A server-sent event. */
export type ServerSent = { readonly id: string; readonly event: string; readonly data: string };

export type StreamOptions = Pick<CallOptions, 'signal'> & {
  /** `id` of the last processed event, to resume after. */
  readonly lastEventId?: string;
  /** Milliseconds without data or heartbeat after which the connection is replaced. */
  readonly silenceMs?: number;
  /** Called when a connection is open, and when it has ended. */
  readonly onConnection?: (isOpen: boolean) => void;
};

const SILENCE_MS = 45_000;
/** Event with the reason for the end of a connection; the stream continues on the next one. */
const FAREWELL = 'stream-ended';
/** Event that replaces one that the service cannot decode. */
const UNREADABLE = 'event-unreadable';

/**
 * Yields server-sent events without end: a broken connection is resumed after the last event. Each event is yielded once,
 * provided that the service keeps its IDs in order.
 *
 * @throws {PalimpsestError} if the service rejects the request or was never reached; `corrupt-event` if it cannot decode the
 *   next event: to continue without it, resume after its position in `problem`; the reason of `signal` if it aborts.
 */
export async function* serverSent(
  transport: Transport,
  query: Query,
  { lastEventId, silenceMs = SILENCE_MS, signal, onConnection = () => undefined }: StreamOptions = {},
): AsyncGenerator<ServerSent, void, undefined> {
  const progress: Progress = { last: lastEventId, failures: 0, wantedMs: 0, wasConnected: false };
  const options = signal ? { signal } : {};
  for (;;) {
    try {
      for await (const { id, event, data } of connect(transport, query, progress, {
        ...options,
        silenceMs,
        onConnection,
      })) {
        progress.last = id ?? progress.last;
        if (event === UNREADABLE) throw unreadable(progress.last, data);
        if (data !== undefined && event !== FAREWELL)
          yield { id: progress.last ?? '', event: event ?? 'message', data };
      }
    } catch (error) {
      const isBroken = error instanceof PalimpsestError && isPassing(error);
      if (!isBroken || !progress.wasConnected) throw error;
    }
    progress.failures += 1;
    await transport.waitAfter(progress.failures, options, progress.wantedMs);
  }
}

/** Progress of a reader over all its connections. */
type Progress = {
  last: string | undefined;
  /** Failures since the last event. */
  failures: number;
  /** Milliseconds that the service wants between two connections. */
  wantedMs: number;
  wasConnected: boolean;
};

/** Yields the events of one connection until it ends. */
async function* connect(
  transport: Transport,
  query: Query,
  progress: Progress,
  {
    silenceMs,
    onConnection,
    ...options
  }: CallOptions & Required<Pick<StreamOptions, 'silenceMs' | 'onConnection'>>,
): AsyncGenerator<ParsedEvent, void, undefined> {
  const headers: Record<string, string> = {};
  if (progress.last !== undefined) headers['last-event-id'] = progress.last;
  const content = { query, accept: 'text/event-stream', headers };
  const opened = await transport.stream('GET', path`/v1/stream`, content, options);
  const parser = new EventParser((ms) => {
    progress.wantedMs = ms;
  });
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(opened.close, silenceMs);
  };
  try {
    if (!isEventStream(opened.response)) throw unexpected(opened.response);
    progress.wasConnected = true;
    onConnection(true);
    listen();
    const decoder = new TextDecoder();
    for await (const bytes of opened.response.body ?? []) {
      const parsed = parser.feed(decoder.decode(bytes, { stream: true }));
      // Events are yielded before more is read: a slow reader slows the connection and does not fill the memory.
      clearTimeout(silence);
      if (parsed.length > 0) progress.failures = 0;
      yield* parsed;
      listen();
    }
  } catch (error) {
    throw opened.failureOf(error);
  } finally {
    clearTimeout(silence);
    opened.close();
    onConnection(false);
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').startsWith('text/event-stream');

/** Returns the error that keeps readers from missing an event silently. */
const unreadable = (position = '', data = '{}'): PalimpsestError => {
  const detail = `the service cannot read the event at ${position}: to go on without it, give lastEventId "${position}"`;
  return new PalimpsestError('corrupt-event', detail, { problem: { ...JSON.parse(data), position } });
};
