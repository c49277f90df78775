import type { EventLog } from '../../log/event-log.js';
import { checkpointStreamOf, type GroupDefinition } from '../definition/group-definition.js';
import { putCheckpoint } from '../definition/group-store.js';
import { placeBefore, placeText } from '../definition/places.js';
import { latestEvent } from '../definition/system-event.js';

/** How far a group has come: the first place that is not finished, and how many events lie before it. */
export type Progress = { readonly place: number; readonly sequence: number };

const TYPE = '$SubscriptionCheckpoint';

/**
 * Writes a group's checkpoint: when it has moved by the maximum count at once, and some time after it has moved by
 * the minimum count. What a crash takes with it is only knowledge of what was done: those events are delivered
 * again.
 */
export class Checkpointer {
  /** What is on disk. */
  #written: number | undefined;
  #sequence = 0;
  #countSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #over = false;

  /** `written`: what is on disk, where there is something. */
  constructor(
    private readonly log: EventLog,
    private readonly definition: GroupDefinition,
    written: number | undefined,
    private readonly progress: () => Progress,
  ) {
    this.#written = written;
  }

  /** The first place that the checkpoint does not cover; `undefined` where there is no checkpoint. */
  get written(): number | undefined {
    return this.#written;
  }

  /** The last event that the checkpoint covers. */
  get lastFinished(): number | undefined {
    return this.#written === undefined
      ? undefined
      : placeBefore(this.log.reader, this.definition.source, this.#written);
  }

  /** `count` events were finished, or left out by the filter. */
  finished(count: number): void {
    if (this.#over) return;
    const { checkpointAfterMs, maxCheckpointCount } = this.definition.settings;
    this.#countSince += count;
    // Only so many can lie between two checkpoints; where they lie is worked out when there are enough.
    if (this.#countSince >= Math.max(1, maxCheckpointCount)) this.#writeFrom(maxCheckpointCount);
    if (checkpointAfterMs > 0 && count > 0)
      this.#timer ??= setTimeout(() => this.#timeIsUp(), checkpointAfterMs);
  }

  /** Writes what is left to write, however little. */
  async close(): Promise<void> {
    await this.#writing;
    this.#writeFrom(1);
    await this.#writing;
    this.abandon();
  }

  /** Writes nothing any more. */
  abandon(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #timeIsUp(): void {
    this.#timer = undefined;
    this.#writeFrom(this.definition.settings.minCheckpointCount);
  }

  /** Writes where the checkpoint has moved by `count` events. */
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
        // What was finished while this one was written may be enough for the next one.
        this.finished(0);
      },
      // A full disk: the next event that is finished tries again.
      () => {
        this.#writing = undefined;
      },
    );
  }

  /** The event in the log is for readers; what counts is the entry. Both go into one transaction. */
  async #write(place: number): Promise<void> {
    const { log, definition } = this;
    const put = log.put([putCheckpoint(definition, place)]);
    const text = placeText(definition.source, placeBefore(log.reader, definition.source, place));
    const events = latestEvent(log.reader, checkpointStreamOf(definition), TYPE, text);
    await Promise.all([put, ...events.map((event) => log.append(event).catch(() => undefined))]);
  }
}
