import { createHash } from 'node:crypto';
import { type Message, startsTurn } from '@app/domain';
import { AppError, type CompactionId, canonicalJson, MessageId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';

type RecordedMessage = {
  readonly id: MessageId;
  readonly blocks: number;
  /** Absent for an erased message, which is known by its ID alone: importing it again does not bring it back. */
  readonly digest: string | undefined;
};

/**
 * The messages and compactions of earlier imports of a session. A transcript is compared with them item by item; it must be
 * equal and may continue after them.
 */
export class EarlierImport {
  private met = 0;
  /** Blocks added to messages since an import that read an incomplete transcript. */
  private readonly grown: Message[] = [];

  private constructor(
    private readonly ref: SessionRef,
    private readonly recorded: readonly RecordedMessage[],
    private readonly compactions: ReadonlySet<CompactionId>,
    /** Whether the session is a branch that starts within a turn. */
    readonly beganInTurn: boolean,
  ) {}

  static none = (ref: SessionRef): EarlierImport => new EarlierImport(ref, [], new Set(), false);

  static async of(ref: SessionRef, log: EventLog): Promise<EarlierImport> {
    const recorded: RecordedMessage[] = [];
    const compactions = new Set<CompactionId>();
    let [turns, beganInTurn] = [0, false];
    for await (const { event } of log.readForwards(streamOf(ref))) {
      if (event.type === 'CompactionCompleted' && event.data.imported)
        compactions.add(event.data.compactionId);
      if (event.type === 'SessionForked') {
        recorded.length = 0; // Events before a fork were copied from the source.
        beganInTurn = event.data.opening.turnCompleted < turns;
      }
      // Messages written by the engine are in no transcript.
      if (event.type !== 'MessageAppended' || event.data.message.synthetic) continue;
      const { message } = event.data;
      if (startsTurn(message)) turns += 1;
      const { id, blocks } = message;
      const digest = message.erased ? undefined : digestOf(message, blocks.length);
      recorded.push({ id, blocks: blocks.length, digest });
    }
    return new EarlierImport(ref, recorded, compactions, beganInTurn);
  }

  /**
   * Whether the transcript's next message is recorded.
   *
   * @throws {AppError} `session-diverged` if another message is recorded in its place.
   */
  knows(message: Message): boolean {
    this.meetGrown();
    const next = this.recorded[this.met];
    if (!next) return false;
    const isSame = next.digest === undefined || next.digest === digestOf(message, next.blocks);
    if (next.id !== message.id || !isSame) {
      const text = `session "${this.ref.session}" holds another history from message "${next.id}" on: import it under another tenant`;
      throw new AppError('session-diverged', text);
    }
    this.met += 1;
    if (message.blocks.length > next.blocks) {
      const id = MessageId(`${message.id}~${next.blocks}`);
      this.grown.push({ ...message, id, blocks: message.blocks.slice(next.blocks) });
    }
    return true;
  }

  /**
   * Whether the transcript's next compaction is recorded.
   *
   * @throws {AppError} `session-diverged` if the session continues without it.
   */
  knowsCompaction(compactionId: CompactionId): boolean {
    if (this.compactions.has(compactionId)) return true;
    this.meetGrown();
    const next = this.recorded[this.met];
    if (!next) return false;
    const text = `session "${this.ref.session}" was not compacted before message "${next.id}": import it under another tenant`;
    throw new AppError('session-diverged', text);
  }

  /** Returns the blocks added to recorded messages once all of these have been compared; each is appended as a message. */
  takeGrown(): readonly Message[] {
    this.meetGrown();
    return this.met < this.recorded.length ? [] : this.grown.splice(0);
  }

  /** Skips blocks that an earlier import has already appended as messages. */
  private meetGrown(): void {
    const [first] = this.grown;
    if (!first || this.recorded[this.met]?.id !== first.id) return;
    this.grown.shift();
    this.knows(first);
  }
}

/** Returns the SHA-256 of a message with its first `count` blocks. */
const digestOf = ({ role, blocks }: Message, count: number): string =>
  createHash('sha256')
    .update(canonicalJson({ role, blocks: blocks.slice(0, count) }))
    .digest('base64');
