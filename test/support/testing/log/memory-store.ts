import type { LogPosition, StreamName } from '@app/kernel';
import type { RecordedInLog, StoredEvent } from '@app/ports';

/** The state that an in-memory log shares with its subscriptions. */
export class MemoryStore {
  readonly records: RecordedInLog<StoredEvent>[] = [];
  private readonly streams = new Map<StreamName, RecordedInLog<StoredEvent>[]>();
  private readonly waiting = new Set<() => void>();
  private losses = 0;

  stream(name: StreamName): readonly RecordedInLog<StoredEvent>[] {
    return this.streams.get(name) ?? [];
  }

  /** Positions ascend with gaps, as in a real log. */
  nextPosition(): bigint {
    return BigInt(this.records.length + 1) * 10n;
  }

  add(records: readonly RecordedInLog<StoredEvent>[]): void {
    for (const record of records) {
      this.records.push(record);
      const stream = this.streams.get(record.stream) ?? [];
      this.streams.set(record.stream, stream);
      stream.push(record);
    }
    this.wakeAll();
  }

  /** Returns the number of records up to and including `position`. */
  countUpTo(position: LogPosition | 'start'): number {
    if (position === 'start') return 0;
    const first = this.records.findIndex((record) => record.position > position);
    return first < 0 ? this.records.length : first;
  }

  /** The number of the current connection: earlier ones are lost. */
  get connection(): number {
    return this.losses;
  }

  loseConnections(): void {
    this.losses += 1;
    this.wakeAll();
  }

  /** Resolves after a change, or when `signal` aborts. */
  async change(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  wakeAll(): void {
    for (const wake of [...this.waiting]) wake();
  }
}
