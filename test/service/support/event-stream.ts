import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** A reader of `/v1/stream`. */
export class EventStream {
  readonly comments: string[] = [];
  readonly #events: EventSourceMessage[] = [];
  readonly #leave = new AbortController();
  #changed: () => void = () => {};
  #isOver = false;

  private constructor(readonly response: Response) {
    void this.#read();
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
    return new EventStream(await fetch(url, { headers }));
  }

  /** Returns the next event; `undefined` after the end of the stream. */
  async next(): Promise<EventSourceMessage | undefined> {
    while (this.#events.length === 0 && !this.#isOver) {
      await new Promise<void>((wake) => {
        this.#changed = wake;
      });
    }
    return this.#events.shift();
  }

  async take(count: number): Promise<EventSourceMessage[]> {
    const taken: EventSourceMessage[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (!event) break;
      taken.push(event);
    }
    return taken;
  }

  /** Resolves after `count` comments. */
  async commented(count: number): Promise<void> {
    while (this.comments.length < count && !this.#isOver) {
      await new Promise<void>((wake) => {
        this.#changed = wake;
      });
    }
  }

  leave(): void {
    this.#leave.abort();
  }

  async #read(): Promise<void> {
    const parser = createParser({
      onEvent: (event) => this.#events.push(event),
      onComment: (comment) => this.comments.push(comment),
    });
    const decoder = new TextDecoder();
    const reader = this.response.body?.getReader();
    this.#leave.signal.addEventListener('abort', () => void reader?.cancel().catch(() => undefined));
    try {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) break;
        parser.feed(decoder.decode(value, { stream: true }));
        this.#changed();
      }
    } catch {
      // The server is gone: keeps the arrived events.
    }
    this.#isOver = true;
    this.#changed();
  }
}
