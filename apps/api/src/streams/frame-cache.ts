import type { ContentLevel, Streamed } from '@app/application';

type Frames = { readonly made: Partial<Record<ContentLevel, Buffer>>; size: number };

/**
 * Events as bytes, those that came last. Readers of a tenant want an event at nearly the same moment, and it is made
 * once for all of them; who comes much later has it made again. Bounded by what it holds, the events included.
 */
export class FrameCache {
  readonly #frames = new Map<Streamed, Frames>();
  #held = 0;

  /** `heldMax` in bytes. The newest event stays, whatever its size. */
  constructor(private readonly heldMax: number) {}

  /** The bytes of `event`, of the text that `write` gives where they are not known. */
  through(event: Streamed, content: ContentLevel, write: () => string): Buffer {
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
      if (this.#held <= this.heldMax) return;
      if (oldest === newest) continue;
      this.#frames.delete(oldest);
      this.#held -= size;
    }
  }
}

/** In memory of its own: a slice of the pool that Node shares out would hold all of its page. */
const bytesOf = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
};
