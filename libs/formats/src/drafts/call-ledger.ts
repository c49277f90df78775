/** The unanswered calls of a session. Assigns ids to calls without one, and pairs results without an id. */
export class CallLedger {
  readonly #unanswered: { id: string; name: string }[] = [];
  #derivedCount = 0;

  /** The id of a new call of the tool `name`. */
  open(name: string, ownId: string | undefined): string {
    const id = ownId ?? this.#derivedId();
    this.#unanswered.push({ id, name });
    // Calls that never get a result must not pile up over a long session.
    if (this.#unanswered.length > UNANSWERED_MAX) this.#unanswered.shift();
    return id;
  }

  /** Returns the id of the call that a result answers: its own, else that of the tool's oldest open call. */
  close(ownId: string | undefined, name: string | undefined): string {
    const index = this.#unanswered.findIndex((call) =>
      ownId === undefined ? name === undefined || call.name === name : call.id === ownId,
    );
    const [call] = index < 0 ? [] : this.#unanswered.splice(index, 1);
    return ownId ?? call?.id ?? this.#derivedId();
  }

  /** Whether the call `id` waits for its result. */
  has(id: string): boolean {
    return this.#unanswered.some((call) => call.id === id);
  }

  #derivedId(): string {
    this.#derivedCount += 1;
    return `call-${this.#derivedCount}`;
  }
}

const UNANSWERED_MAX = 1_000;
