/** Values in memory at most. */
const COUNT_MAX = 10_000;

type Entry<Value> = { readonly value: Promise<Value>; readonly until: number };

/**
 * Values that were loaded, limited in number and time. Concurrent callers share a load; one that fails or finds nothing
 * is forgotten, and so is one that was under way when all were dropped.
 */
export class Remembered<Value> {
  private readonly entries = new Map<string, Entry<Value>>();
  private dropped = 0;

  /** @param lifetimeMs milliseconds after which a value is loaded again. */
  constructor(private readonly lifetimeMs: number) {}

  async get(name: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.entries.get(name);
    if (known && known.until > performance.now()) return known.value;
    const value = load();
    this.set(name, value);
    try {
      const found = await value;
      if (found === undefined) this.forget(name, value);
      return found;
    } catch (error) {
      this.forget(name, value);
      throw error;
    }
  }

  /** Changes whenever everything is dropped: a value that was loaded before must not be kept after. */
  get generation(): number {
    return this.dropped;
  }

  keep(name: string, value: Value): void {
    this.set(name, Promise.resolve(value));
  }

  clear(): void {
    this.dropped += 1;
    this.entries.clear();
  }

  /** Shortens the lifetime of everything that is there to `milliseconds` from now. */
  expireWithin(milliseconds: number): void {
    const latest = performance.now() + milliseconds;
    for (const [name, { value, until }] of this.entries)
      this.entries.set(name, { value, until: Math.min(until, latest) });
  }

  private set(name: string, value: Promise<Value>): void {
    this.entries.delete(name);
    this.entries.set(name, { value, until: performance.now() + this.lifetimeMs });
    const [oldest] = this.entries.keys();
    if (this.entries.size > COUNT_MAX && oldest !== undefined) this.entries.delete(oldest);
  }

  private forget(name: string, value: Promise<Value>): void {
    if (this.entries.get(name)?.value === value) this.entries.delete(name);
  }
}
