import type { AppError } from '@app/kernel';
import { inSlices } from '../../steps.js';
import type { Put } from '../engine.js';
import { folderDamaged } from '../integrity/folder-damaged.js';
import type { LiveJournal } from '../integrity/log-mark.js';
import { encodeFrame, frameAt, GENERATION_NONE, generationAt } from './frame.js';
import { SyncedFile } from './synced-file.js';

/** The file grows by so much at a time: a sync is cheaper where the length of the file does not change with it. */
const GROWTH_BYTES = 256 * 1024;
/** What makes a frame invalid when it is zero. */
const FRAME_HEAD = Buffer.alloc(16);

/**
 * A file of frames, one after another from its beginning. It is used again and again, without being emptied: each
 * use has a generation of its own, higher than all before, and where the generation changes the frames end.
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
  /** Bytes of frames. */
  get bytes(): number {
    return this.#end;
  }

  /**
   * The frames that were committed to it when it was last used, in order.
   *
   * @param acknowledged the files in use, and how far their frames are known to have been acknowledged.
   * @throws {AppError} `data-folder-damaged` where a frame is damaged that was acknowledged or that others follow. The
   *   last one may be: a crash that came before its commit was answered left it so.
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

  /** Begins it anew. Nothing that it holds is needed any more. */
  begin(generation: bigint): void {
    this.#generation = generation;
    this.#end = 0;
  }

  /** Resolves with the frame of `puts` when it is on disk; where it fails, it is not in the journal. */
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

  /** All of a frame may have been written although its sync failed; it must not come back after a crash. */
  async #erase(): Promise<void> {
    try {
      await this.#file.write(FRAME_HEAD, this.#end);
    } catch {
      // Nothing can be written; the next frame will stand here.
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
      `${this.path} is cut or damaged at byte ${this.#end}, before events that were acknowledged`,
    );
  }
}
