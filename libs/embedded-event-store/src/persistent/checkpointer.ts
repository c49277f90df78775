import type { EventLog } from '../log/event-log.js';
import type { GroupDefinition } from './group-definition.js';
import { putCheckpoint } from './group-store.js';

/**
 * Writes a group's checkpoint: some time after it has moved, or at once after many events. What a crash takes
 * with it is only knowledge of what was done: those events are delivered again.
 */
export class Checkpointer {
  /** What is on disk. */
  #written: number;
  #countSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #over = false;

  /** `finishedUpTo`: the first place that is not finished. */
  constructor(
    private readonly log: EventLog,
    private readonly definition: GroupDefinition,
    written: number,
    private readonly finishedUpTo: () => number,
  ) {
    this.#written = written;
  }

  get written(): number {
    return this.#written;
  }

  /** `count` events were finished. */
  moved(count: number): void {
    const { checkpointAfterMs, maxCheckpointCount } = this.definition.settings;
    if (this.#over) return;
    this.#countSince += count;
    if (maxCheckpointCount > 0 && this.#countSince >= maxCheckpointCount) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), Math.max(1, checkpointAfterMs));
  }

  /** Writes what is left to write. */
  async close(): Promise<void> {
    await this.#writing;
    this.#flush();
    await this.#writing;
    this.abandon();
  }

  /** Writes nothing any more. */
  abandon(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #flush(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const checkpoint = this.finishedUpTo();
    if (this.#writing || checkpoint === this.#written) return;
    this.#countSince = 0;
    this.#writing = this.log
      .put([putCheckpoint(this.definition, checkpoint)])
      .then(
        () => {
          this.#written = checkpoint;
        },
        // A full disk: the next event that is finished tries again.
        () => undefined,
      )
      .finally(() => {
        this.#writing = undefined;
      });
  }
}
