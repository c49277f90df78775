import type { EventLog } from '../../log/event-log.js';
import { checkpointStreamOf, type GroupDefinition } from '../definition/group-definition.js';
import { putCheckpoint } from '../definition/group-store.js';
import { placeBefore, placeText } from '../definition/places.js';
import { latestEvent } from '../definition/system-event.js';

/** The progress of a group: the first unfinished place, and the number of events before it. */
export type Progress = { readonly place: number; readonly sequence: number };

const TYPE = '$SubscriptionCheckpoint';

/**
 * Writes a group's checkpoint: at once after the maximum count, and after a delay from the minimum count on. A crash
 * loses only progress: those events are redelivered.
 */
export class Checkpointer {
  /** The checkpoint on disk. */
  #written: number | undefined;
  #sequence = 0;
  #countSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #over = false;

  /** `written`: the checkpoint on disk, if any. */
  constructor(
    private readonly log: EventLog,
    private readonly definition: GroupDefinition,
    written: number | undefined,
    private readonly progress: () => Progress,
  ) {
    this.#written = written;
  }

  /** The first place after the checkpoint; `undefined` without one. */
  get written(): number | undefined {
    return this.#written;
  }

  /** The last event before the checkpoint. */
  get lastFinished(): number | undefined {
    return this.#written === undefined
      ? undefined
      : placeBefore(this.log.reader, this.definition.source, this.#written);
  }

  /** Records that `count` events were finished or excluded by the filter. */
  finished(count: number): void {
    if (this.#over) return;
    const { checkpointAfterMs, maxCheckpointCount } = this.definition.settings;
    this.#countSince += count;
    // Computes the progress only when enough events have finished for a checkpoint.
    if (this.#countSince >= Math.max(1, maxCheckpointCount)) this.#writeFrom(maxCheckpointCount);
    if (checkpointAfterMs > 0 && count > 0)
      this.#timer ??= setTimeout(() => this.#timeIsUp(), checkpointAfterMs);
  }

  /** Writes the pending checkpoint, at any count. */
  async close(): Promise<void> {
    await this.#writing;
    this.#writeFrom(1);
    await this.#writing;
    this.abandon();
  }

  /** Stops all writes. */
  abandon(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #timeIsUp(): void {
    this.#timer = undefined;
    this.#writeFrom(this.definition.settings.minCheckpointCount);
  }

  /** Writes the checkpoint if it has moved by `count` events. */
  #writeFrom(count: number): void {
    if (this.#over || this.#writing) return;
    const { place, sequence } = this.progress();
    if (sequence - this.#sequence < Math.max(1, count)) return;
    this.#writing = this.#write(place).then(
      () => {
        this.#written = place;
        this.#countSince -= sequence - this.#sequence;
        this.#sequence = sequence;
        this.#writing = undefined;
        // Events that finished during this write may suffice for the next one.
        this.finished(0);
      },
      // On a full disk the next finished event retries.
      () => {
        this.#writing = undefined;
      },
    );
  }

  /** Writes the event, for readers, and the authoritative entry in one transaction. */
  async #write(place: number): Promise<void> {
    const { log, definition } = this;
    const put = log.put([putCheckpoint(definition, place)]);
    const text = placeText(definition.source, placeBefore(log.reader, definition.source, place));
    const events = latestEvent(log.reader, checkpointStreamOf(definition), TYPE, text);
    await Promise.all([put, ...events.map((event) => log.append(event).catch(() => undefined))]);
  }
}
