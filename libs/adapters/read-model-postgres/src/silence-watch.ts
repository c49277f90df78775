/** Milliseconds without an answer after which the server is asked whether it is there, and asked again each time they pass. */
const SILENCE_MAX_MS = 5_000;

/**
 * Ends queries whose server has fallen silent: a network that drops packets, or a host that hangs, closes no connection,
 * and a query on it would wait for minutes. A query that is only slow goes on for as long as the server answers others.
 */
export class SilenceWatch {
  #asked: Promise<boolean> | undefined;

  /** @param isThere whether the server answers on a new connection; never rejects. */
  constructor(private readonly isThere: () => Promise<boolean>) {}

  /** @param cut ends the connection of the query, which rejects it. Called at most once. */
  async during<Result>(query: Promise<Result>, cut: () => void): Promise<Result> {
    let isOver = false;
    const timer = setInterval(async () => {
      if ((await this.#answers()) || isOver) return;
      isOver = true;
      cut();
    }, SILENCE_MAX_MS);
    try {
      return await query;
    } finally {
      isOver = true;
      clearInterval(timer);
    }
  }

  /** One question at a time, whose answer all silent queries share. */
  #answers(): Promise<boolean> {
    this.#asked ??= this.isThere().finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }
}
