import { countMessage } from '@app/application';
import {
  decide,
  estimatedTokens,
  evolve,
  frameSummary,
  initialState,
  limitsOf,
  type Message,
  NO_MODELS,
  type OpenSession,
  occupancy,
  profileNamed,
  type RequestBill,
  type SessionCommand,
  type SessionEvent,
  type SessionState,
  type SummarizerIdentity,
  triggerTokens,
} from '@app/domain';
import { CompactionId, invariant, Revision, type SessionId, type TenantId, Tokens } from '@app/kernel';
import { constantCounter, padded, prose } from './texts.js';
import { answerMessage, callMessage, MODEL, questionMessage, resultMessage } from './turn-messages.js';

const WORKER = 'worker:bench';
const SUMMARIZER: SummarizerIdentity = { name: 'fixed', promptVersion: '1', deterministic: true };
const SUMMARY = `## Goal\n${prose(0, 1_000)}\n\n## State\n${prose(3, 3_000)}`;

/**
 * An agent's session, decided by the domain's rules: turns of four messages with a tool call and the provider's bill,
 * and a compaction whenever the window requires it. All turns have the same size and all summaries are equal, so that
 * the session is periodic from the first compaction on.
 */
export class SimulatedSession {
  #state: SessionState = initialState;
  #fresh: SessionEvent[] = [];
  /** The number of decided events. */
  length = 0;

  constructor(
    tenantId: TenantId,
    private readonly sessionId: SessionId,
    window: number,
  ) {
    const profile = profileNamed('core');
    const data = {
      tenantId,
      sessionId,
      model: MODEL,
      limits: limitsOf(NO_MODELS, MODEL, profile, window),
      profile,
      systemPrompt: prose(1, 800),
      tools: [{ name: 'read_file', description: prose(2, 120), input_schema: { type: 'object' } }],
      fixedTokens: Tokens(300),
      labels: {},
    };
    this.#carryOut({ type: 'OpenSession', data });
  }

  /** Whether the next budget check requests a compaction: the context is as full as possible. */
  get isFull(): boolean {
    const { limits, profile } = this.#open;
    return occupancy(this.#open) >= (triggerTokens(limits, profile) ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the events since the previous call. */
  take(): readonly SessionEvent[] {
    const taken = this.#fresh;
    this.#fresh = [];
    return taken;
  }

  /** Plays a turn from the user's question to its answer, after a compaction if due. */
  playTurn(): void {
    const { sessionId } = this;
    this.#compactWhereDue();
    const turn = this.#open.turn + 1;
    this.#append(questionMessage(turn));
    this.#append(callMessage(turn));
    this.#append(resultMessage(turn));
    this.#append(answerMessage(turn));
    this.#carryOut({ type: 'CompleteTurn', data: { sessionId, stopReason: 'end_turn' } });
  }

  get #open(): OpenSession {
    invariant(this.#state.status === 'open', 'the session has been opened');
    return this.#state;
  }

  #append(message: Message): void {
    const counted = countMessage(constantCounter, message);
    const usage = message.role === 'assistant' ? this.#billed(message, counted.tokens) : undefined;
    const data = { sessionId: this.sessionId, messages: [counted], ...(usage && { usage }) };
    this.#carryOut({ type: 'AppendMessages', data });
  }

  /** The provider's count equals the local count. */
  #billed({ id }: Message, outputTokens: Tokens): RequestBill {
    const none = Tokens(0);
    const inputTokens = estimatedTokens(this.#open);
    const usage = { inputTokens, cacheReadTokens: none, cacheWriteTokens: none, outputTokens };
    return { usage, model: MODEL, outcome: 'completed', source: 'reported', messageId: id };
  }

  #compactWhereDue(): void {
    const { sessionId } = this;
    const compactionId = CompactionId(`compaction-${padded(this.#open.compactions + 1)}`);
    this.#carryOut({ type: 'CheckBudget', data: { sessionId, compactionId } });
    if (!this.#open.compaction) return;
    const common = { sessionId, compactionId, worker: WORKER, summarizer: SUMMARIZER };
    this.#carryOut({ type: 'StartCompaction', data: { ...common, inputHash: '0'.repeat(64) } });
    const count = (text: string): Tokens => Tokens(constantCounter.count(text));
    const framedTokens = count(frameSummary(SUMMARY, compactionId));
    const summary = { text: SUMMARY, finish: 'stop', tokens: count(SUMMARY), framedTokens } as const;
    this.#carryOut({ type: 'CompleteCompaction', data: { ...common, attempt: 1, summary, durationMs: 0 } });
    invariant(this.#open.pivot?.compactionId === compactionId, 'the compaction has been completed');
  }

  #carryOut(command: SessionCommand): void {
    for (const event of decide(command, this.#state)) {
      this.#state = evolve(this.#state, { event, revision: Revision(this.length) });
      this.length += 1;
      this.#fresh.push(event);
    }
  }
}
