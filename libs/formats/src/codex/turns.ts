import type { DraftMessage, DraftSession } from '../drafts/draft.js';

type Fork = NonNullable<DraftSession['fork']>;

/** The turns of a rollout, and their rollbacks: later turns then form a branch. */
export class Turns {
  #key: string;
  #fork: Fork | undefined;
  #rollbacks = 0;
  #count = 0;
  #last: Fork['behind'];
  #beforeQuestion: Fork['behind'];
  #begun = -1;
  /** The branching point before each remaining turn. */
  #starts: Fork['behind'][] = [];

  constructor(private readonly trunk: string) {
    this.#key = trunk;
  }

  /** The session that receives messages, and its branching point. */
  get session(): { readonly key: string; readonly fork?: Fork } {
    return { key: this.#key, ...(this.#fork && { fork: this.#fork }) };
  }

  noteMessage({ id, role, blocks }: DraftMessage): void {
    this.#count += 1;
    if (role === 'user' && blocks.some(({ type }) => type !== 'tool_result'))
      this.#beforeQuestion = this.#last;
    this.#last = { kind: 'message', id: id ?? `message-${this.#count}` };
  }

  noteCompaction(id: string): void {
    this.#last = { kind: 'compaction', id };
  }

  /** The newest user message has begun a turn: others are inserted by Codex. */
  begin(): void {
    if (this.#begun === this.#count) return; // It is told twice.
    this.#begun = this.#count;
    this.#starts.push(this.#beforeQuestion);
  }

  /** @returns whether there was anything to take back. */
  takeBack(count: number): boolean {
    const first = this.#starts.length - count;
    if (count <= 0 || this.#starts.length === 0) return false;
    const behind = this.#starts[Math.max(0, first)];
    this.#rollbacks += 1;
    const name = `rollback-${this.#rollbacks}`;
    this.#fork = { name, fromKey: this.#key, behind };
    this.#key = `${this.trunk}.${name}`;
    this.#starts = this.#starts.slice(0, Math.max(0, first));
    this.#last = behind;
    return true;
  }
}
