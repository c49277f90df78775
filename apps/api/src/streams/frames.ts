import type { ContentLevel, StreamEnd, Streamed } from '@app/application';
import type { LogPosition } from '@app/kernel';
import { FrameCache } from './frame-cache.js';

/** Bytes of cached frames of all tenants: a few thousand events of usual size. */
const FRAMES_MAX = 8 * 2 ** 20;
const frames = new FrameCache(FRAMES_MAX);

/** Returns an event in the form of `text/event-stream`; its JSON contains no line breaks. */
export const frameOf = (event: Streamed, content: ContentLevel): Buffer =>
  frames.getOrAdd(
    event,
    content,
    () => `id: ${event.position}\nevent: ${event.name}\ndata: ${event.json(content)}\n\n`,
  );

/** Milliseconds before an `EventSource` reconnects. */
const RETRY_MS = 2_000;

export const openingFrame = (position: LogPosition | 'start'): string =>
  `retry: ${RETRY_MS}\n: after ${position}\n${idLine(position)}\n`;

/** Has an ID without data: it dispatches no event, but readers with a narrow filter resume near the end of the log. */
export const heartbeatFrame = (position: LogPosition | 'start'): string =>
  `: heartbeat\n${idLine(position)}\n`;

export const endFrame = (reason: StreamEnd, position: LogPosition | 'start'): string => {
  const data = JSON.stringify({ reason, position: position === 'start' ? null : String(position) });
  return `${idLine(position)}event: stream-ended\ndata: ${data}\n\n`;
};

const idLine = (position: LogPosition | 'start'): string => (position === 'start' ? '' : `id: ${position}\n`);
