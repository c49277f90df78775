import type { JsonObject } from '@app/kernel';

type Stored = {
  /** Input and output, including those of earlier responses. */
  readonly items: readonly JsonObject[];
};

/** The server's stored conversations, and the order of its items. */
export class ResponseStore {
  private readonly responses = new Map<string, Stored>();
  private readonly items = new Map<string, JsonObject>();
  private readonly leaders = new Map<string, string>();
  private readonly followers = new Map<string, string>();

  /** @param isStored whether later requests may name the response and its items. */
  keep(id: string, input: readonly JsonObject[], output: readonly JsonObject[], isStored: boolean): void {
    for (const [at, { id: item, type }] of output.entries()) {
      const next = output[at + 1]?.id;
      if (type !== 'reasoning' || typeof item !== 'string' || typeof next !== 'string') continue;
      this.leaders.set(next, item);
      this.followers.set(item, next);
    }
    if (!isStored) return;
    this.responses.set(id, { items: [...input, ...output] });
    for (const item of [...input, ...output]) if (typeof item.id === 'string') this.items.set(item.id, item);
  }

  /** Returns all items up to the end of a response; `undefined` if it is not stored. */
  itemsOf(responseId: string): readonly JsonObject[] | undefined {
    return this.responses.get(responseId)?.items;
  }

  item(id: string): JsonObject | undefined {
    return this.items.get(id);
  }

  holds(id: string): boolean {
    return this.items.has(id);
  }

  reasoningBefore(id: string): string | undefined {
    return this.leaders.get(id);
  }

  itemAfter(reasoningId: string): string | undefined {
    return this.followers.get(reasoningId);
  }
}
