import type { ContentLevel, StreamEnd, Streamed } from '@app/application';
import type { LogPosition } from '@app/kernel';
import { FrameCache } from './frame-cache.js';

/** In bytes: a few thousand events of usual size, for readers of all tenants. */
const FRAMES_MAX = 8 * 2 ** 20;
const frames = new FrameCache(FRAMES_MAX);

/** An event as text/event-stream has it; JSON has no line breaks of its own. */
export const frameOf = (event: Streamed, content: ContentLevel): Buffer =>
  frames.through(
    event,
    content,
    () => `id: ${event.position}\nevent: ${event.name}\ndata: ${event.json(content)}\n\n`,
  );

/** What an EventSource does on its own: it waits so long before it comes again. */
const RETRY_MS = 2_000;

export const openingFrame = (position: LogPosition | 'start'): string =>
  `retry: ${RETRY_MS}\n: after ${position}\n${idLine(position)}\n`;

/** Without data it is no event, but browsers remember the id: whoever filters strictly resumes near the end. */
export const heartbeatFrame = (position: LogPosition | 'start'): string =>
  `: heartbeat\n${idLine(position)}\n`;

export const endFrame = (reason: StreamEnd, position: LogPosition | 'start'): string => {
  const data = JSON.stringify({ reason, position: position === 'start' ? null : String(position) });
  return `${idLine(position)}event: stream-ended\ndata: ${data}\n\n`;
};

const idLine = (position: LogPosition | 'start'): string => (position === 'start' ? '' : `id: ${position}\n`);
