import { type Block, isEdit, type Message, type SessionCommand } from '@app/domain';
import { digestOf, type WireAnswer, withCallNames } from '@app/formats';
import { AppError, MessageId, type RequestId, type SessionId } from '@app/kernel';
import { appendAhead, withEarlier } from '../commands/append-messages.js';
import { checkBudgetCommand } from '../commands/check-budget.js';
import { pricedBill } from '../commands/priced-bill.js';
import { ReportEdits } from '../commands/requests/report-edits.js';
import { earlierRequest } from '../sessions/earlier-request.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';
import type { GatewayCall } from './gateway-call.js';
import { chainAfter, messageIdOf } from './places/chains.js';
import { bytesOf } from './places/growth.js';
import type { Placed, Placing, PlacingParts } from './places/places.js';
import { appendingAt, PLACES_TRIED } from './writing.js';

/** What a provider has answered last, and what the client has of all rounds of the answer. */
export type Said = {
  readonly answer: WireAnswer;
  /** The very same where the gateway has answered no call. */
  readonly shown: WireAnswer;
  /** Of the calls of the recall tool in it. */
  readonly results: readonly Block[];
};

/** What a request went out as: its model, its session and its id. */
export type Asked = {
  readonly model: string;
  readonly session: SessionId;
  readonly requestId: RequestId;
};

/** Records what a provider has answered, so that the client's next request is found to go on from it. */
export class Answering {
  constructor(
    private readonly parts: PlacingParts,
    private readonly placing: Placing,
  ) {}

  /** @throws {AppError} as the commands on sessions do. */
  async record(call: GatewayCall, placed: Placed, said: Said, asked: Asked): Promise<void> {
    if (said.answer.blocks.length === 0) return;
    await this.untilPlaced(call, placed, said, () => this.recordOnce(call, placed, said, asked));
  }

  /**
   * Records an answer that only calls the recall tool, and the results of the calls. The client has neither: its history
   * goes on from where it is.
   *
   * @throws {AppError} as the commands on sessions do.
   */
  async recordRound(call: GatewayCall, placed: Placed, said: Said, asked: Asked): Promise<Placed> {
    return this.untilPlaced(call, placed, said, async () => {
      const { ref, messages } = await this.placing.forAnswer(placed, call.caller);
      const named = digestOf(`${placed.chain} recall ${messages}`);
      const hidden = { clientHas: 'nothing' } as const;
      const model = said.answer.model ?? asked.model;
      const answer: Message = {
        id: roundId(named),
        role: 'assistant',
        blocks: said.answer.blocks.map(withCallNames),
        model,
        ...hidden,
      };
      const results: Message = {
        id: roundId(digestOf(named)),
        role: 'user',
        blocks: said.results.map(withCallNames),
        ...hidden,
      };
      await this.append(call, ref, messages, [answer, results], said, asked);
      const { chain } = placed;
      await this.placing.remember(call.tenant, ref.session, [{ chain, messages: messages + 2 }]);
      return { ...placed, ref, messages: messages + 2, news: [] };
    });
  }

  private async untilPlaced<Result>(
    call: GatewayCall,
    placed: Placed,
    { answer, results }: Said,
    record: () => Promise<Result>,
  ): Promise<Result> {
    // It is paid for, and kept whatever the limit says: it is the next request that is refused.
    await call.take(bytesOf(answer.blocks) + bytesOf(results));
    await placed.remembered;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await record();
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
    { answer, shown, results }: Said,
    asked: Asked,
  ): Promise<void> {
    const { conversations } = this.parts;
    const { tenant, caller } = call;
    const { ref, messages } = await this.placing.forAnswer(placed, caller);
    const chain = chainAfter(placed.chain, shown.digests);
    const model = answer.model ?? asked.model;
    const ofClient = shown === answer ? {} : ({ clientHas: 'another-form' } as const);
    const message: Message = {
      ...{ id: messageIdOf(chain), role: 'assistant', blocks: answer.blocks.map(withCallNames), model },
      ...ofClient,
    };
    const behind: readonly Message[] =
      results.length === 0
        ? []
        : [
            {
              id: roundId(digestOf(`${chain} results`)),
              role: 'user',
              blocks: results.map(withCallNames),
              clientHas: 'nothing',
            },
          ];
    await this.append(call, ref, messages, [message, ...behind], { answer, shown, results }, asked);
    await Promise.all([
      this.placing.remember(tenant, ref.session, [{ chain, messages: messages + 1 + behind.length }]),
      // Only there may a client name what it was answered, instead of sending it.
      call.wire === 'openai-responses' && conversations.name(tenant, namesOf(shown, chain)),
    ]);
    await this.reportEdits(ref, answer, caller);
  }

  /** Appends an answer with its bill, what stands behind it, and the end of the turn where it is that. */
  private async append(
    { caller }: GatewayCall,
    ref: SessionRef,
    messages: number,
    [message, ...behind]: readonly [Message, ...Message[]],
    { answer, shown }: Said,
    { model: asked, session, ...request }: Asked,
  ): Promise<void> {
    const { sessions, counter, models, clock, log } = this.parts;
    const model = answer.model ?? asked;
    // A fork has composed no request: what it is answered was asked of its source.
    const requestId = ref.session === session ? request.requestId : undefined;
    const bill = answer.usage && {
      ...{ usage: answer.usage, model, messageId: message.id, ...(requestId && { requestId }) },
      ...({ outcome: 'completed', source: 'reported' } as const),
    };
    const priced = bill && (await pricedBill({ models, clock }, ref, bill, [message]));
    // What the check asks for runs while nobody waits, and is in force for the next request.
    const steps = [
      appendingAt(messages, ref, async (state) =>
        withEarlier(
          await appendAhead(ref, [message], counter, priced),
          await earlierRequest(log, ref, state, bill && requestId),
        ),
      ),
      ...(behind.length === 0
        ? []
        : [appendingAt(messages + 1, ref, () => appendAhead(ref, behind, counter))]),
      ...turnEnd(ref.session, shown),
      checkBudgetCommand(ref, clock, { willContinue: true }),
    ];
    await sessions.executeAll(ref, steps, caller);
  }

  /** What the provider's own context management did to the request, where that is anything. */
  private async reportEdits(ref: SessionRef, { id, edits }: WireAnswer, caller: Caller): Promise<void> {
    if (!edits) return;
    const { state } = await this.parts.sessions.load(ref);
    const wasCleared = state.status === 'open' && state.reasoningClearedIn.length > 0;
    if (!isEdit(edits) && !wasCleared) return;
    const report = { edits, ...(id !== undefined && { responseId: id }) };
    await this.parts.commands.execute(new ReportEdits(ref, report, caller));
  }
}

/** The end of the turn, where the answer is that. */
const turnEnd = (sessionId: SessionId, { endsTurn, stopReason }: WireAnswer): readonly SessionCommand[] =>
  endsTurn ? [{ type: 'CompleteTurn', data: { sessionId, stopReason } }] : [];

/** The name of a message that no client has. */
const roundId = (digest: string): MessageId => MessageId(`r-${digest.slice(0, 32)}`);

/** How a client may name what it was answered, instead of sending it. */
const namesOf = ({ id, named }: WireAnswer, chain: string) => [
  ...(id === undefined ? [] : [{ name: answerName(id), digest: chain }]),
  ...named.map((item) => ({ name: itemName(item.id), digest: item.digest ?? '' })),
];

export const answerName = (id: string): string => `answer ${id}`;
export const itemName = (id: string): string => `item ${id}`;
