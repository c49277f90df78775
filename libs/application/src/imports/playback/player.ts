import {
  type Block,
  isText,
  isToolResult,
  type Message,
  type RequestBill,
  type SessionEvent,
  startsTurn,
  toolCallsOf,
  UNKNOWN_MODEL,
} from '@app/domain';
import type {
  TranscriptCompaction,
  TranscriptFormat,
  TranscriptMessage,
  TranscriptPruning,
  TranscriptUsage,
} from '@app/formats';
import { defined, MessageId, Revision } from '@app/kernel';
import type { Clock, EventLog, ModelRegistry, TokenCounter } from '@app/ports';
import type { CommandExecutor } from '../../command-and-query.js';
import { appendAhead, BATCH_MESSAGES } from '../../commands/append-messages.js';
import { completionOf } from '../../commands/complete-turn.js';
import { pricedBill } from '../../commands/priced-bill.js';
import { checkBudgetCommand } from '../../sessions/decisions.js';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { Caller, Executed } from '../../sessions/session-store.js';
import { EarlierImport } from './earlier-import.js';
import { compactionIdOf, compactionSteps } from './record-compaction.js';
import type { Step } from './step.js';
import { EVENT_WEIGHT, StepQueue, type StepQueueDependencies } from './step-queue.js';
import { usageOf } from './usage-of.js';

export type PlayerDependencies = StepQueueDependencies & {
  readonly commands: CommandExecutor;
  readonly log: EventLog;
  readonly counter: TokenCounter;
  readonly models: ModelRegistry;
  readonly clock: Clock;
};

/** Maximum bytes of messages recorded in one step without an answer between them. */
const TOGETHER_WEIGHT = 200_000;

/**
 * Replays a recorded session: appends messages of user and tools, and before each answer of the model checks the budget and
 * waits for a compaction, as the agent would.
 */
export class Player {
  private earlier: EarlierImport;
  private readonly queue: StepQueue;
  private readonly tally: Tally;
  private together: Message[] = [];
  private togetherWeight = 0;
  private inTurn = false;
  toolCalls = 0;

  constructor(
    private readonly ref: SessionRef,
    caller: Caller,
    private readonly deps: PlayerDependencies,
    private readonly admit: (message: Message) => Promise<void> = async () => undefined,
  ) {
    this.earlier = EarlierImport.none(ref);
    this.tally = new Tally(ref, deps.log);
    this.queue = new StepQueue(ref, caller, deps, (executed) => this.tally.take(executed));
  }

  /** Bytes of messages that are not being appended yet. */
  get weight(): number {
    return this.togetherWeight + this.queue.weight;
  }

  /** Loads the messages of earlier imports. */
  async resume(): Promise<void> {
    this.earlier = await EarlierImport.of(this.ref, this.deps.log);
    this.inTurn = this.earlier.beganInTurn;
  }

  /** @throws {AppError} `session-diverged`; errors of an earlier append. */
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

  /** Records a compaction of the session's own agent. @throws {AppError} `session-diverged`; errors of an earlier append. */
  async compact(format: TranscriptFormat, recorded: TranscriptCompaction): Promise<void> {
    const compactionId = compactionIdOf(this.ref, recorded);
    if (this.earlier.knowsCompaction(compactionId)) return;
    await this.appendGrown();
    await this.endTogether();
    const steps = await compactionSteps(this.ref, { compactionId, format, recorded }, this.deps);
    for (const step of steps) await this.queue.add(step);
  }

  /**
   * Records tool outputs that the session's own agent has cleared; outputs that are already cleared or covered are skipped.
   *
   * @throws {AppError} errors of an earlier append.
   */
  async prune(format: TranscriptFormat, recorded: TranscriptPruning): Promise<void> {
    await this.appendGrown();
    await this.endTogether();
    await this.queue.add(pruningStep(this.ref, recorded, format));
  }

  /** Ends the last turn; the session is ready for its next request. */
  async end(): Promise<void> {
    await this.appendGrown();
    await this.endTurn();
    await this.addCheck();
    await this.queue.drain();
  }

  /** Waits until all played items are recorded. */
  async flush(): Promise<void> {
    await this.endTogether();
    await this.queue.drain();
  }

  /** Returns the counted tokens of all messages ever appended. */
  async tokens(revision: Revision | undefined): Promise<number> {
    await this.tally.take({ events: [], revision });
    return this.tally.tokens;
  }

  /** The bill of the whole message was recorded with its first part. */
  private async appendGrown(): Promise<void> {
    for (const message of this.earlier.takeGrown()) await this.append(message);
  }

  private async append(message: Message, usage?: RequestBill): Promise<void> {
    await this.admit(message);
    const weight = weightOf(message);
    if (startsTurn(message)) await this.endTurn();
    if (message.role === 'assistant') {
      await this.endTogether();
      await this.addCheck();
      await this.addAppend([message], weight, usage);
    } else {
      if (this.togetherWeight + weight > TOGETHER_WEIGHT || this.together.length === BATCH_MESSAGES)
        await this.endTogether();
      this.together.push(message);
      this.togetherWeight += weight;
    }
    this.inTurn ||= startsTurn(message);
  }

  private async endTurn(): Promise<void> {
    await this.endTogether();
    const commands = completionOf(this.ref, 'end_turn');
    if (this.inTurn) await this.queue.add({ commands, weight: 2 * EVENT_WEIGHT });
    this.inTurn = false;
  }

  private async endTogether(): Promise<void> {
    const [messages, weight] = [this.together, this.togetherWeight];
    this.together = [];
    this.togetherWeight = 0;
    if (messages.length > 0) await this.addAppend(messages, weight);
  }

  private async addAppend(messages: readonly Message[], weight: number, usage?: RequestBill): Promise<void> {
    const bill = usage && (await pricedBill(this.deps, this.ref, usage, messages));
    const command = await appendAhead(this.ref, messages, this.deps.counter, bill);
    await this.queue.add({ commands: [command], weight: weight + (bill ? EVENT_WEIGHT : 0) });
  }

  private async addCheck(): Promise<void> {
    const command = checkBudgetCommand(this.ref, this.deps.clock, { willContinue: true });
    await this.queue.add({ commands: [command], weight: EVENT_WEIGHT, isBeforeRequest: true });
  }
}

const weightOf = ({ blocks }: Message): number =>
  blocks.reduce((sum, block) => sum + blockWeight(block), EVENT_WEIGHT);

/**
 * Estimates the bytes of a block; serializing it would take as long as appending it. Usual blocks are estimated by their text.
 */
const blockWeight = (block: Block): number => {
  const text = isText(block) ? block.text : isToolResult(block) ? block.content : undefined;
  return typeof text === 'string'
    ? Buffer.byteLength(text) * ESCAPED
    : Buffer.byteLength(JSON.stringify(block));
};
/** Upper estimate of the growth of a text through JSON escapes. */
const ESCAPED = 1.1;

const messageOf = ({ id, role, blocks, inserted, model, createdAt }: TranscriptMessage): Message => ({
  id: MessageId(id),
  role,
  blocks,
  ...defined({ inserted, model, createdAt }),
});

/** Returns the bill of a request that the engine has not composed: it counts for cost, not for the budget. */
const billOf = (usage: TranscriptUsage, { id, model }: Message): RequestBill => ({
  usage: usageOf(usage),
  model: usage.model ?? model ?? UNKNOWN_MODEL,
  outcome: 'completed',
  source: 'transcript',
  messageId: id,
});

/** Returns the step that records tool outputs cleared by the agent. */
const pruningStep = (
  { session }: SessionRef,
  { callIds, createdAt }: TranscriptPruning,
  format: TranscriptFormat,
): Step => {
  const imported = { format, ...(createdAt !== undefined && { at: createdAt }) };
  return {
    commands: [{ type: 'RecordPruning', data: { sessionId: session, callIds, imported } }],
    weight: EVENT_WEIGHT + Buffer.byteLength(JSON.stringify(callIds)),
  };
};

/** Sums the counted tokens of all messages of a session as it grows, so that long sessions are not read again. */
class Tally {
  tokens = 0;
  private next = 0;

  constructor(
    private readonly ref: SessionRef,
    private readonly log: EventLog,
  ) {}

  /** Adds the recorded events, and events that other writers have recorded before them. */
  async take({ events, revision }: Pick<Executed, 'events' | 'revision'>): Promise<void> {
    const end = revision === undefined ? 0 : revision + 1;
    const ownFrom = end - events.length;
    if (ownFrom > this.next) await this.read(ownFrom);
    for (const event of events) this.add(event);
    this.next = Math.max(this.next, end);
  }

  private async read(end: number): Promise<void> {
    const range = { from: Revision(this.next), limit: end - this.next };
    for await (const { event } of this.log.readForwards(streamOf(this.ref), range)) this.add(event);
  }

  private add(event: SessionEvent): void {
    if (event.type === 'MessageAppended') this.tokens += event.data.tokens;
  }
}
