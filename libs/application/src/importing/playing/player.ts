import { type Message, startsTurn, toolCallsOf, UNKNOWN_MODEL, type UsageReported } from '@app/domain';
import type {
  TranscriptCompaction,
  TranscriptFormat,
  TranscriptMessage,
  TranscriptPruning,
  TranscriptUsage,
} from '@app/formats';
import { MessageId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import type { Command } from '@nestjs/cqrs';
import { AppendMessages } from '../../commands/append-messages.js';
import { CheckBudget } from '../../commands/check-budget.js';
import { CompleteTurn } from '../../commands/complete-turn.js';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { BATCH_MESSAGES, inBatches } from '../../sessions/in-batches.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller } from '../../sessions/session-store.js';
import { EarlierImport } from './earlier-import.js';
import { compactionIdOf, RecordCompaction } from './record-compaction.js';
import { RecordPruning } from './record-pruning.js';
import { usageOf } from './usage-of.js';

export type PlayerDependencies = {
  readonly commands: { execute<Result>(command: Command<Result>): Promise<Result> };
  readonly outcomes: OutcomeWaiter;
  readonly log: EventLog;
};

/**
 * Plays a recorded session into the engine as it happened: what the user and the tools said is appended, and before
 * each answer of the model the budget is checked and a compaction waited for, as its agent would have done.
 */
export class Player {
  private earlier: EarlierImport;
  private waiting: Message[] = [];
  private inTurn = false;
  toolCalls = 0;

  constructor(
    private readonly ref: SessionRef,
    private readonly caller: Caller,
    private readonly deps: PlayerDependencies,
    private readonly admit: (message: Message) => Promise<void> = async () => undefined,
  ) {
    this.earlier = EarlierImport.none(ref);
  }

  /** Finds out what an earlier import of the session has brought in already. */
  async resume(): Promise<void> {
    this.earlier = await EarlierImport.of(this.ref, this.deps.log);
    this.inTurn = this.earlier.beganInTurn;
  }

  /** @throws {AppError} `session-diverged`. */
  async play(recorded: TranscriptMessage): Promise<void> {
    const message = messageOf(recorded);
    this.toolCalls += toolCallsOf(message).length;
    if (this.earlier.knows(message)) {
      this.inTurn ||= startsTurn(message);
      return;
    }
    await this.appendGrown();
    await this.append(message, recorded.usage && billOf(recorded.usage, message));
  }

  /**
   * Takes over what the session's own agent has compacted.
   *
   * @throws {AppError} `session-diverged`.
   */
  async compact(format: TranscriptFormat, recorded: TranscriptCompaction): Promise<void> {
    const compactionId = compactionIdOf(this.ref, recorded);
    if (this.earlier.knowsCompaction(compactionId)) return;
    await this.appendGrown();
    await this.flush();
    await this.deps.commands.execute(
      new RecordCompaction(this.ref, { compactionId, format, recorded }, this.caller),
    );
  }

  /** Takes over what the session's own agent has cleared. What is cleared, or covered, already stays as it is. */
  async prune(format: TranscriptFormat, recorded: TranscriptPruning): Promise<void> {
    await this.appendGrown();
    await this.flush();
    await this.deps.commands.execute(new RecordPruning(this.ref, { format, recorded }, this.caller));
  }

  /** Ends the last turn, and leaves the session ready for its next request. */
  async end(): Promise<void> {
    await this.appendGrown();
    await this.endTurn();
    await this.beforeRequest();
  }

  /** What was billed for the whole message has been recorded with its first part. */
  private async appendGrown(): Promise<void> {
    for (const message of this.earlier.takeGrown()) await this.append(message);
  }

  private async append(message: Message, usage?: UsageReported['data']): Promise<void> {
    await this.admitted(message);
    if (startsTurn(message)) await this.endTurn();
    if (message.role === 'assistant') {
      await this.flush();
      await this.beforeRequest();
    }
    this.waiting.push(message);
    if (message.role === 'assistant' || this.waiting.length >= BATCH_MESSAGES) await this.flush(usage);
    this.inTurn ||= startsTurn(message);
  }

  /** What was admitted before is recorded, whatever becomes of the rest: the next import goes on behind it. */
  private async admitted(message: Message): Promise<void> {
    try {
      await this.admit(message);
    } catch (error) {
      await this.flush();
      throw error;
    }
  }

  private async beforeRequest(): Promise<void> {
    const { compactionId } = await this.deps.commands.execute(new CheckBudget(this.ref, this.caller, true));
    if (compactionId) await this.deps.outcomes.outcomeOf(this.ref, compactionId);
  }

  private async endTurn(): Promise<void> {
    await this.flush();
    if (this.inTurn) await this.deps.commands.execute(new CompleteTurn(this.ref, 'end_turn', this.caller));
    this.inTurn = false;
  }

  /** Appends what waits for the next answer. */
  async flush(usage?: UsageReported['data']): Promise<void> {
    const batches = inBatches(this.waiting);
    this.waiting = [];
    for (const [at, batch] of batches.entries()) {
      const last = at === batches.length - 1 ? usage : undefined;
      await this.deps.commands.execute(new AppendMessages(this.ref, batch, this.caller, last));
    }
  }
}

const messageOf = ({ id, role, blocks, model, createdAt }: TranscriptMessage): Message => ({
  id: MessageId(id),
  role,
  blocks,
  ...(model !== undefined && { model }),
  ...(createdAt !== undefined && { createdAt }),
});

/** The bill of a request that somebody else composed: for the books, not for the budget. */
const billOf = (usage: TranscriptUsage, { id, model }: Message): UsageReported['data'] => ({
  usage: usageOf(usage),
  model: usage.model ?? model ?? UNKNOWN_MODEL,
  outcome: 'completed',
  source: 'transcript',
  messageId: id,
});
