import { isPassing } from '../transport/backoff.js';
import { PalimpsestError } from '../transport/errors.js';
import { path, type Query } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { EventParser, type ParsedEvent } from './event-parser.js';

/** What a stream of server-sent events carries. */
export type ServerSent = { readonly id: string; readonly event: string; readonly data: string };

export type StreamOptions = Pick<CallOptions, 'signal'> & {
  /** Where to go on: the `id` of the last event that was dealt with. */
  readonly lastEventId?: string;
  /** A connection on which nothing has come for so long, not even a heartbeat, is given up for a new one. */
  readonly silenceMs?: number;
};

const SILENCE_MS = 45_000;
/** The service's own word on why it ends a connection; what follows it comes over the next one. */
const FAREWELL = 'stream-ended';
/** In the place of an event that the service cannot read. */
const UNREADABLE = 'event-unreadable';

/**
 * Server-sent events without an end: a connection that breaks is followed by one that goes on behind the last event.
 * Each event comes once, as long as the service keeps its ids in order.
 *
 * @throws {PalimpsestError} where the service refuses, or could never be reached; `corrupt-event` where it cannot read the
 *   event that comes next: whoever goes on without it begins again behind its position, which `problem` has; the reason of `signal` where that
 *   aborts.
 */
export async function* serverSent(
  transport: Transport,
  query: Query,
  { lastEventId, silenceMs = SILENCE_MS, signal }: StreamOptions = {},
): AsyncGenerator<ServerSent, void, undefined> {
  const progress: Progress = { last: lastEventId, failures: 0, wantedMs: 0, wasConnected: false };
  const options = signal ? { signal } : {};
  for (;;) {
    try {
      for await (const { id, event, data } of connect(transport, query, progress, options, silenceMs)) {
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

/** How far a reader has come, over all its connections. */
type Progress = {
  last: string | undefined;
  /** Since the last event. */
  failures: number;
  /** How long the service wants to be left alone between two connections. */
  wantedMs: number;
  wasConnected: boolean;
};

/** The events of one connection, until it ends. */
async function* connect(
  transport: Transport,
  query: Query,
  progress: Progress,
  options: CallOptions,
  silenceMs: number,
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
    if (!isEventStream(opened.response)) throw noStream(opened.response.status);
    progress.wasConnected = true;
    listen();
    const decoder = new TextDecoder();
    for await (const bytes of opened.response.body ?? []) {
      const parsed = parser.feed(decoder.decode(bytes, { stream: true }));
      // What has come is handed out before more is read: a slow reader slows the connection, and fills no memory.
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
  }
}

const isEventStream = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').startsWith('text/event-stream');

/** Nobody is to go on without an event and not know it. */
const unreadable = (position = '', data = '{}'): PalimpsestError => {
  const detail = `the service cannot read the event at ${position}: to go on without it, give lastEventId "${position}"`;
  return new PalimpsestError('corrupt-event', detail, { problem: { ...JSON.parse(data), position } });
};

const noStream = (status: number): PalimpsestError =>
  new PalimpsestError(
    'unexpected-answer',
    "the answer is none of Palimpsest's (no stream of events): is the URL that of its API?",
    { status },
  );
