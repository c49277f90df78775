/** The position of a block: the index of its message, and its index among the blocks of its kind there. */
export type BlockPlace = { readonly message: number; readonly block: number };
/** A tool call, whose result may still be found. */
export type OpenCall = { readonly id: string; readonly call: BlockPlace; result: BlockPlace | undefined };

/** Steps with more calls are indexed by id at once. */
const LOOKED_THROUGH_MAX = 16;

/**
 * The unanswered calls. A result nearly always answers the newest step, whose few calls are searched linearly; the
 * rest is indexed by id when the next step begins.
 */
export class WaitingCalls {
  #step: OpenCall[] = [];
  /** The index of the newest step, and whether its many calls are indexed by id. */
  #message = -1;
  #isLarge = false;
  readonly #byId = new Map<string, CallsOfOneId>();

  add(open: OpenCall): void {
    const { message } = open.call;
    if (message !== this.#message) {
      if (this.#step.length > 0) this.#keepStep();
      this.#message = message;
      this.#isLarge = false;
    }
    if (this.#step.length === LOOKED_THROUGH_MAX) {
      this.#keepStep();
      this.#isLarge = true;
    }
    if (this.#isLarge) this.#keep(open);
    else this.#step.push(open);
  }

  /** Takes out the first call with this id of the nearest message. */
  take(id: string): OpenCall | undefined {
    const step = this.#step;
    for (let at = 0; at < step.length; at += 1) {
      if (step[at]?.id !== id) continue;
      return at === 0 ? step.shift() : step.splice(at, 1)[0];
    }
    return this.#byId.size > 0 ? this.#byId.get(id)?.take() : undefined;
  }

  /** Returns the unanswered calls, oldest first. */
  left(): readonly OpenCall[] {
    this.#keepStep();
    const left = [...this.#byId.values()].flatMap((calls) => calls.left());
    return left.sort((a, b) => a.call.message - b.call.message || a.call.block - b.call.block);
  }

  #keepStep(): void {
    for (const open of this.#step) this.#keep(open);
    this.#step = [];
  }

  #keep(open: OpenCall): void {
    const waiting = this.#byId.get(open.id) ?? new CallsOfOneId();
    this.#byId.set(open.id, waiting);
    waiting.add(open);
  }
}

/** Calls of one id, message by message, each list taken from its front: agents give all their calls one id. */
class CallsOfOneId {
  readonly #byMessage: { readonly calls: OpenCall[]; taken: number }[] = [];

  add(open: OpenCall): void {
    const newest = this.#byMessage.at(-1);
    if (newest?.calls[0]?.call.message === open.call.message) newest.calls.push(open);
    else this.#byMessage.push({ calls: [open], taken: 0 });
  }

  /** Takes out the first call of the nearest message. */
  take(): OpenCall | undefined {
    const newest = this.#byMessage.at(-1);
    const first = newest?.calls[newest.taken];
    if (!newest || !first) return undefined;
    newest.taken += 1;
    if (newest.taken === newest.calls.length) this.#byMessage.pop();
    return first;
  }

  left(): readonly OpenCall[] {
    return this.#byMessage.flatMap(({ calls, taken }) => calls.slice(taken));
  }
}
