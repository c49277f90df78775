/** The calls that wait for something, so that a stop can end them: else it would wait for them, and they for it. */
export class OpenCalls {
  readonly #ends = new Set<() => void>();
  #stopping = false;

  /** Calls `end` when the server stops, soon where it does already; not once the returned function was called. */
  whenStopping(end: () => void): () => void {
    this.#ends.add(end);
    if (this.#stopping) queueMicrotask(() => this.#ends.has(end) && end());
    return () => this.#ends.delete(end);
  }

  endAll(): void {
    this.#stopping = true;
    for (const end of this.#ends) end();
  }
}
