import type { Message, SessionCommand } from '@app/domain';
import type { WireAnswer } from '@app/formats';
import { AppError, type RequestId, type SessionId } from '@app/kernel';
import { appendOf, withEarlier } from '../commands/append-messages.js';
import { checkOf } from '../commands/check-budget.js';
import { ReportEdits } from '../commands/composing/report-edits.js';
import { pricedBill } from '../commands/priced-bill.js';
import { earlierRequest } from '../sessions/find-request.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';
import type { GatewayCall } from './gateway-call.js';
import { chainAfter, messageIdOf } from './placing/chains.js';
import { bytesOf } from './placing/growth.js';
import type { Placed, Placing, PlacingParts } from './placing/placing.js';
import { appendingAt, PLACES_TRIED } from './writing.js';

/** What a request went out as: its model, and its id. */
export type Asked = { readonly model: string; readonly requestId: RequestId };

/** Records what a provider has answered, so that the client's next request is found to go on from it. */
export class Answering {
  constructor(
    private readonly parts: PlacingParts,
    private readonly placing: Placing,
  ) {}

  /** @throws {AppError} as the commands on sessions do. */
  async record(call: GatewayCall, placed: Placed, answer: WireAnswer, asked: Asked): Promise<void> {
    if (answer.blocks.length === 0) return;
    // It is paid for, and kept whatever the limit says: it is the next request that is refused.
    await call.take(bytesOf(answer.blocks));
    await placed.remembered;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.recordOnce(call, placed, answer, asked);
      } catch (error) {
        // Another answer to the same history was faster: this one belongs to a fork.
        const isRace = error instanceof AppError && error.code === 'message-conflict';
        if (!isRace || attempt === PLACES_TRIED) throw error;
      }
    }
  }

  private async recordOnce(
    call: GatewayCall,
    placed: Placed,
    answer: WireAnswer,
    asked: Asked,
  ): Promise<void> {
    const { sessions, conversations, counter, models, clock } = this.parts;
    const { tenant, caller } = call;
    const { ref, messages } = await this.placing.forAnswer(placed, caller);
    const chain = chainAfter(placed.chain, answer.digests);
    const model = answer.model ?? asked.model;
    const message: Message = { id: messageIdOf(chain), role: 'assistant', blocks: answer.blocks, model };
    // A fork has composed no request: what it is answered was asked of its source.
    const requestId = ref.session === placed.ref.session ? asked.requestId : undefined;
    const bill = answer.usage && {
      ...{ usage: answer.usage, model, messageId: message.id, ...(requestId && { requestId }) },
      ...({ outcome: 'completed', source: 'reported' } as const),
    };
    const priced = bill && (await pricedBill({ models, clock }, ref, bill, [message]));
    // What the check asks for runs while nobody waits, and is in force for the next request.
    const steps = [
      appendingAt(messages, ref, async (state) =>
        withEarlier(
          appendOf(ref, [message], counter, priced),
          await earlierRequest(this.parts.log, ref, state, bill && requestId),
        ),
      ),
      ...turnEnd(ref.session, answer),
      checkOf(ref, clock, { workGoesOn: true }),
    ];
    await sessions.executeAll(ref, steps, caller);
    await Promise.all([
      this.placing.remember(tenant, ref.session, [{ chain, messages: messages + 1 }]),
      // Only there may a client name what it was answered, instead of sending it.
      call.wire === 'openai-responses' && conversations.name(tenant, namesOf(answer, chain)),
    ]);
    await this.reportEdits(ref, answer, caller);
  }

  /** What the provider's own context management did to the request, where that is anything. */
  private async reportEdits(ref: SessionRef, { id, edits }: WireAnswer, caller: Caller): Promise<void> {
    if (!edits) return;
    const { state } = await this.parts.sessions.load(ref);
    const { clearedToolUses, clearedThinkingTurns, clearedInputTokens, compaction } = edits;
    const isEdited = clearedToolUses + clearedThinkingTurns + clearedInputTokens > 0 || compaction;
    const wasCleared = state.status === 'open' && state.reasoningClearedIn.length > 0;
    if (!isEdited && !wasCleared) return;
    const report = { edits, ...(id !== undefined && { responseId: id }) };
    await this.parts.commands.execute(new ReportEdits(ref, report, caller));
  }
}

/** The end of the turn, where the answer is that. */
const turnEnd = (sessionId: SessionId, { endsTurn, stopReason }: WireAnswer): readonly SessionCommand[] =>
  endsTurn ? [{ type: 'CompleteTurn', data: { sessionId, stopReason } }] : [];

/** How a client may name what it was answered, instead of sending it. */
const namesOf = ({ id, named }: WireAnswer, chain: string) => [
  ...(id === undefined ? [] : [{ name: answerName(id), digest: chain }]),
  ...named.map((item) => ({ name: itemName(item.id), digest: item.digest ?? '' })),
];

export const answerName = (id: string): string => `answer ${id}`;
export const itemName = (id: string): string => `item ${id}`;
