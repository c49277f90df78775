/** The waiting calls, so that a stop can end them instead of waiting for them. */
export class OpenCalls {
  readonly #ends = new Set<() => void>();
  #stopping = false;

  /** Calls `end` when the server stops, soon if it is stopping already. The returned function unregisters it. */
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
