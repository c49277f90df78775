import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ContentLevel, StreamReader } from '@app/application';
import { endFrame, frameOf, heartbeatFrame, openingFrame } from './frame-cache.js';

export type StreamPace = { readonly heartbeatMs: number };

type Options = {
  readonly content: ContentLevel;
  readonly heartbeatMs: number;
};

/** Heartbeats without a drained socket after which a reader counts as too slow or disconnected. */
const STALLED_HEARTBEATS = 4;
/** Milliseconds to flush the buffer of an ended reader. */
const FLUSH_MS = 2_000;

/** Writes the events of a reader until it ends, with backpressure: for a slow client only positions wait, not bytes. */
export const writeStream = async (
  socket: ServerResponse,
  reader: StreamReader,
  { content, heartbeatMs }: Options,
): Promise<void> => {
  socket.on('close', () => reader.end('gone'));
  socket.on('error', () => reader.end('gone'));
  let stalled = 0;
  socket.on('drain', () => {
    stalled = 0;
  });
  const heartbeat = setInterval(() => {
    if (!socket.writableNeedDrain) return void socket.write(heartbeatFrame(reader.position));
    stalled += 1;
    if (stalled >= STALLED_HEARTBEATS) reader.end('too-slow');
  }, heartbeatMs);
  try {
    socket.write(openingFrame(reader.position));
    for await (const event of reader.events()) {
      if (!socket.write(frameOf(event, content))) await drained(socket, reader.ended);
    }
  } finally {
    clearInterval(heartbeat);
    endStream(socket, reader);
  }
};

const drained = async (socket: ServerResponse, ended: AbortSignal): Promise<void> => {
  if (ended.aborted) return;
  await once(socket, 'drain', { signal: ended }).catch(() => undefined);
};

/** Ends the response with the position to resume from. */
const endStream = (socket: ServerResponse, { reason = 'gone', position }: StreamReader): void => {
  if (socket.destroyed) return;
  if (reason === 'gone') return void socket.end();
  const late = setTimeout(() => socket.destroy(), FLUSH_MS);
  socket.on('close', () => clearTimeout(late));
  socket.end(endFrame(reason, position));
};
