import type { AppError } from '@app/kernel';
import { inSlices } from '../../steps.js';
import type { Put } from '../engine.js';
import { folderDamaged } from '../integrity/folder-damaged.js';
import type { LiveJournal } from '../integrity/log-mark.js';
import { encodeFrame, frameAt, GENERATION_NONE, generationAt } from './frame.js';
import { SyncedFile } from './synced-file.js';

/** Growth step of the file: a sync is cheaper if the file's length does not change. */
const GROWTH_BYTES = 256 * 1024;
/** Zeros that invalidate a frame. */
const FRAME_HEAD = Buffer.alloc(16);

/**
 * A file of consecutive frames. It is reused without truncation: each use has a higher generation than all before,
 * and the frames end where the generation changes.
 */
export class JournalFile {
  readonly #file: SyncedFile;
  #generation: bigint;
  #end = 0;
  #length = 0;

  constructor(private readonly path: string) {
    this.#file = new SyncedFile(path);
    this.#generation = GENERATION_NONE;
  }

  get generation(): bigint {
    return this.#generation;
  }
  /** Total size of the frames in bytes. */
  get bytes(): number {
    return this.#end;
  }

  /**
   * Returns the committed frames of its last use, in order.
   * @param acknowledged the files in use, with the end of their acknowledged frames.
   * @throws {AppError} `data-folder-damaged` for a damaged frame that was acknowledged or precedes others. An
   * unacknowledged last frame may be damaged by a crash.
   */
  recover(acknowledged: readonly LiveJournal[]): Buffer[] {
    const file = this.#file.readAll();
    this.#length = file.length;
    this.#generation = generationAt(file, 0) ?? GENERATION_NONE;
    if (this.#generation === GENERATION_NONE) return [];
    const frames: Buffer[] = [];
    for (;;) {
      const frame = frameAt(file, this.#end, this.#generation);
      if (!frame) break;
      frames.push(frame);
      this.#end += frame.length;
    }
    this.#refuseFramesBeyond(file);
    const known = acknowledged.find(({ generation }) => generation === this.#generation);
    if (known && this.#end < known.end) throw this.#damaged();
    return frames;
  }

  /** Starts a new use, which discards the content. */
  begin(generation: bigint): void {
    this.#generation = generation;
    this.#end = 0;
  }

  /** Resolves with the frame of `puts` when it is on disk; on failure the journal does not contain it. */
  async append(puts: readonly Put[]): Promise<Buffer> {
    const frame = await inSlices(encodeFrame(this.#generation, puts));
    const end = this.#end + frame.length;
    const length = end <= this.#length ? this.#length : Math.ceil(end / GROWTH_BYTES) * GROWTH_BYTES;
    const grows = length > this.#length;
    try {
      await this.#file.write(grows ? Buffer.concat([frame], length - this.#end) : frame, this.#end);
    } catch (fault) {
      await this.#erase();
      throw fault;
    }
    this.#end = end;
    this.#length = length;
    return frame;
  }

  close(): void {
    this.#file.close();
  }

  /** Invalidates a frame whose sync failed: it may be complete, and must not reappear after a crash. */
  async #erase(): Promise<void> {
    try {
      await this.#file.write(FRAME_HEAD, this.#end);
    } catch {
      // The disk cannot be written; the next frame will overwrite this one.
    }
  }

  #refuseFramesBeyond(file: Buffer): void {
    const mark = Buffer.alloc(8);
    mark.writeBigUInt64BE(this.#generation);
    for (let at = file.indexOf(mark, this.#end + 1); at >= 0; at = file.indexOf(mark, at + 1)) {
      if (!frameAt(file, at, this.#generation)) continue;
      throw this.#damaged();
    }
  }

  #damaged(): AppError {
    return folderDamaged(
      `${this.path} is truncated or damaged at byte ${this.#end}, before events that were acknowledged`,
    );
  }
}
