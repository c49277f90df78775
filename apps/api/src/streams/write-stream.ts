import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ContentLevel, StreamReader } from '@app/application';
import { endFrame, frameOf, heartbeatFrame, openingFrame } from './frames.js';

export type StreamPace = { readonly heartbeatMs: number };

type Options = {
  readonly content: ContentLevel;
  readonly heartbeatMs: number;
};

/** A socket that takes nothing for so many heartbeats is that of a reader who is too slow, or gone without a word. */
const STALLED_HEARTBEATS = 4;
/** What is left in the buffer of a reader that was ended has so long to go out. */
const FAREWELL_MS = 2_000;

/**
 * Writes what the reader hands out until it ends. No more is taken from it than the socket takes: what a slow client
 * makes wait is a number in its channel, and not bytes.
 */
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
  const beat = setInterval(() => {
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
    clearInterval(beat);
    farewell(socket, reader);
  }
};

const drained = async (socket: ServerResponse, ended: AbortSignal): Promise<void> => {
  if (ended.aborted) return;
  await once(socket, 'drain', { signal: ended }).catch(() => undefined);
};

/** The last that a reader hears is the place to resume from. */
const farewell = (socket: ServerResponse, { reason = 'gone', position }: StreamReader): void => {
  if (socket.destroyed) return;
  if (reason === 'gone') return void socket.end();
  const late = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.on('close', () => clearTimeout(late));
  socket.end(endFrame(reason, position));
};
