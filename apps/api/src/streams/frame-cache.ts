import type { ContentLevel, StreamEnd, Streamed } from '@app/application';
import type { LogPosition } from '@app/kernel';

type Frames = { readonly made: Partial<Record<ContentLevel, Buffer>>; size: number };

/**
 * Cache of recent events as bytes: the concurrent readers of a tenant share the serialization of an event. Its size, the
 * events included, is bounded.
 */
export class FrameCache {
  readonly #frames = new Map<Streamed, Frames>();
  #held = 0;

  /** @param maxBytes maximum size in bytes; the newest event is always kept. */
  constructor(private readonly maxBytes: number) {}

  /** Returns the bytes of `event`; on a miss, `write` returns its text. */
  getOrAdd(event: Streamed, content: ContentLevel, write: () => string): Buffer {
    const frames = this.#frames.get(event) ?? this.#add(event);
    const known = frames.made[content];
    if (known) return known;
    const frame = bytesOf(write());
    frames.made[content] = frame;
    frames.size += frame.length;
    this.#held += frame.length;
    this.#trim(event);
    return frame;
  }

  #add(event: Streamed): Frames {
    const frames = { made: {}, size: event.weight };
    this.#frames.set(event, frames);
    this.#held += frames.size;
    return frames;
  }

  #trim(newest: Streamed): void {
    for (const [oldest, { size }] of this.#frames) {
      if (this.#held <= this.maxBytes) return;
      if (oldest === newest) continue;
      this.#frames.delete(oldest);
      this.#held -= size;
    }
  }
}

/** Allocates outside Node's buffer pool: a pooled slice would keep its whole page in memory. */
const bytesOf = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
};

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
