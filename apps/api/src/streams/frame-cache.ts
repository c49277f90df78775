import type { ContentLevel, Streamed } from '@app/application';

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
