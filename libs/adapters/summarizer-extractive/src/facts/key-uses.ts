/** The uses of a key; positions are those of messages. */
export type KeyUse = {
  /** Weight of the key's type: 1 for a name, less for a number or a phrase. */
  readonly weight: number;
  /** The last message that has it. */
  readonly last: number;
  messages: number;
  /** Number of messages in which the user or the model uses it, in text or reasoning. */
  said: number;
  /** Whether a line contains it together with a key from user or model text. */
  isBesideSaid: boolean;
};
type Known = KeyUse & { at: number; saidAt: number };

/** Uses of keys, noted from the newest message to the oldest. */
export class KeyUses {
  private readonly byKey = new Map<string, Known>();

  note(key: string, weight: number, at: number, isSaid: boolean): void {
    let use = this.byKey.get(key);
    if (!use) {
      use = {
        weight,
        last: at,
        messages: 0,
        said: 0,
        isBesideSaid: false,
        at: Number.NaN,
        saidAt: Number.NaN,
      };
      this.byKey.set(key, use);
    }
    if (use.at !== at) {
      use.messages += 1;
      use.at = at;
    }
    if (isSaid && use.saidAt !== at) {
      use.said += 1;
      use.saidAt = at;
    }
  }

  /** Records that keys occur in one line; call after all uses are recorded. */
  noteTogether(keys: readonly string[]): void {
    const uses = keys.flatMap((key) => this.byKey.get(key) ?? []);
    if (!uses.some(({ said }) => said > 0)) return;
    for (const use of uses) use.isBesideSaid = true;
  }

  get(key: string): KeyUse | undefined {
    return this.byKey.get(key);
  }

  keys(): Iterable<string> {
    return this.byKey.keys();
  }
}
