import { type Block, erasedBlock, isEdit, type Message, type SessionCommand } from '@app/domain';
import { type WireAnswer, withCallNames } from '@app/formats';
import { AppError, MessageId, type RequestId, type SessionId } from '@app/kernel';
import type { Digester } from '@app/ports';
import { appendAhead, withEarlier } from '../commands/append-messages.js';
import { pricedBill } from '../commands/priced-bill.js';
import { ReportEdits } from '../commands/requests/report-edits.js';
import { checkBudgetCommand } from '../sessions/decisions.js';
import { earlierRequest } from '../sessions/earlier-request.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller } from '../sessions/session-store.js';
import type { GatewayCall } from './gateway-call.js';
import { chainAfter, digestOf, messageIdOf } from './places/chains.js';
import { bytesOf } from './places/growth.js';
import type { Placement, RouterParts, SessionRouter } from './places/session-router.js';
import { appendAt, ROUTE_ATTEMPTS } from './write-request.js';

/** The last answer of a provider, and the joined answer of all rounds that the client has received. */
export type ProviderReply = {
  readonly answer: WireAnswer;
  /** The same object as `answer` unless the gateway has answered calls itself. */
  readonly shown: WireAnswer;
  /** Results of its calls of the recall tool. */
  readonly results: readonly Block[];
};

/** Model, session and ID of the sent request. */
export type SentRequest = {
  readonly model: string;
  readonly session: SessionId;
  readonly requestId: RequestId;
};

/** Records the answers of providers, so that the client's next request continues from them. */
export class AnswerRecorder {
  constructor(
    private readonly parts: RouterParts,
    private readonly router: SessionRouter,
  ) {}

  /**
   * @param released aborts when the client has the answer and may send it with its next request, which then records it.
   * @throws {AppError} as the commands on sessions do.
   */
  async record(
    call: GatewayCall,
    placed: Placement,
    reply: ProviderReply,
    sent: SentRequest,
    released: AbortSignal,
  ): Promise<void> {
    if (reply.answer.blocks.length === 0) return;
    await this.withRouteRetries(call, placed, reply, async (attempt) => {
      if (released.aborted && (await this.router.hasMoved(placed))) return;
      // The append itself finds out that the session has changed.
      const { ref, messages } = attempt === 0 ? placed : await this.router.forAnswer(placed, call.caller);
      await this.recordOnce(call, { ...placed, ref, messages }, reply, sent);
    });
  }

  /**
   * Records an answer that only calls the recall tool, and the results of the calls. The client receives neither: its own
   * history is unchanged.
   *
   * @throws {AppError} as the commands on sessions do.
   */
  async recordRound(
    call: GatewayCall,
    placed: Placement,
    reply: ProviderReply,
    sent: SentRequest,
  ): Promise<Placement> {
    return this.withRouteRetries(call, placed, reply, async () => {
      const { ref, messages } = await this.router.forAnswer(placed, call.caller);
      const named = digestOf(`${placed.chain} recall ${messages}`);
      const hidden = { clientHas: 'nothing' } as const;
      const model = reply.answer.model ?? sent.model;
      const answer: Message = {
        id: roundId(named),
        role: 'assistant',
        blocks: reply.answer.blocks.map(withCallNames),
        model,
        ...hidden,
      };
      const results: Message = {
        id: roundId(digestOf(named)),
        role: 'user',
        blocks: reply.results.map(withCallNames),
        ...hidden,
      };
      await this.append(call, { ...placed, ref, messages }, [answer, results], reply, sent);
      const { chain } = placed;
      await this.router.remember(call.tenant, ref.session, [{ chain, messages: messages + 2 }]);
      return { ...placed, ref, messages: messages + 2, newMessages: [] };
    });
  }

  private async withRouteRetries<Result>(
    call: GatewayCall,
    placed: Placement,
    { answer, results }: ProviderReply,
    record: (attempt: number) => Promise<Result>,
  ): Promise<Result> {
    // The answer is billed, so it is recorded even above the rate limit; the next request is rejected.
    await call.take(bytesOf(answer.blocks) + bytesOf(results));
    await placed.remember();
    // The first attempt is made on the state of the request, and does not count.
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await record(attempt);
      } catch (error) {
        // Another answer to the same history was recorded first: this one goes to a fork.
        const isRace = error instanceof AppError && error.code === 'message-conflict';
        if (!isRace || attempt === ROUTE_ATTEMPTS) throw error;
      }
    }
  }

  private async recordOnce(
    call: GatewayCall,
    placed: Placement,
    { answer, shown, results }: ProviderReply,
    sent: SentRequest,
  ): Promise<void> {
    const { conversations, keyed } = this.parts;
    const { tenant, caller } = call;
    const { ref, messages } = placed;
    const digester = await keyed.digester(tenant, 'history');
    const chain = chainAfter(placed.chain, shown.essences.map(digester));
    const model = answer.model ?? sent.model;
    const ofClient = shown === answer ? {} : ({ clientHas: 'another-form' } as const);
    const message: Message = {
      id: messageIdOf(chain),
      role: 'assistant',
      blocks: answer.blocks.map(withCallNames),
      model,
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
    await this.append(call, placed, [message, ...behind], { answer, shown, results }, sent);
    await Promise.all([
      this.router.remember(tenant, ref.session, [{ chain, messages: messages + 1 + behind.length }]),
      // Only the Responses API lets clients refer to an answer by ID instead of sending it.
      call.wire === 'openai-responses' && conversations.name(tenant, aliasesOf(shown, chain, digester)),
    ]);
    await this.reportEdits(ref, answer, caller);
  }

  /** Whether content of the composed request was erased meanwhile: its answer may quote that content. */
  private async isOutdated(
    { tenant }: GatewayCall,
    { timesForgotten }: Placement,
    { session, requestId }: SentRequest,
  ): Promise<boolean> {
    const { sessions } = this.parts;
    if (sessions.timesForgotten === timesForgotten) return false;
    return sessions.isErasedSince({ tenant, session }, requestId);
  }

  /**
   * Appends an answer with its bill, the results after it, and the end of the turn if the answer ends it. An answer that comes after
   * an erasure of what it was asked with is recorded as erased: the client has received it, and it is known when it comes back.
   */
  private async append(
    call: GatewayCall,
    placed: Placement,
    [message, ...behind]: readonly [Message, ...Message[]],
    { answer, shown }: ProviderReply,
    request: SentRequest,
  ): Promise<void> {
    const { sessions, counter, models, clock, log } = this.parts;
    const { ref, messages } = placed;
    const { model: sent, session } = request;
    const asRecorded = async (all: readonly Message[]): Promise<readonly Message[]> =>
      (await this.isOutdated(call, placed, request))
        ? all.map((one) => ({ ...one, blocks: one.blocks.map(erasedBlock) }))
        : all;
    const model = answer.model ?? sent;
    // A fork has composed no request; the answered request belongs to its source.
    const requestId = ref.session === session ? request.requestId : undefined;
    const bill = answer.usage && {
      usage: answer.usage,
      model,
      messageId: message.id,
      ...(requestId && { requestId }),
      ...({ outcome: 'completed', source: 'reported' } as const),
    };
    const priced = bill && (await pricedBill({ models, clock }, ref, bill, [message]));
    // A compaction requested by the check runs in the background and is in force for the next request.
    const steps = [
      appendAt({ messages }, ref, async (state) =>
        withEarlier(
          await appendAhead(ref, await asRecorded([message]), counter, priced),
          await earlierRequest(log, ref, state, bill && requestId),
        ),
      ),
      ...(behind.length === 0
        ? []
        : [
            appendAt({ messages: messages + 1 }, ref, async () =>
              appendAhead(ref, await asRecorded(behind), counter),
            ),
          ]),
      ...turnEnd(ref.session, shown),
      checkBudgetCommand(ref, clock, { willContinue: true }),
    ];
    await sessions.executeAll(ref, steps, call.caller);
  }

  /** Reports the context edits that the provider has applied to the request, if any. */
  private async reportEdits(ref: SessionRef, { id, edits }: WireAnswer, caller: Caller): Promise<void> {
    if (!edits) return;
    const { state } = await this.parts.sessions.load(ref);
    const wasCleared = state.status === 'open' && state.reasoningClearedIn.length > 0;
    if (!isEdit(edits) && !wasCleared) return;
    const report = { edits, ...(id !== undefined && { responseId: id }) };
    await this.parts.commands.execute(new ReportEdits(ref, report, caller));
  }
}

/** Returns the command that ends the turn, if the answer does. */
const turnEnd = (sessionId: SessionId, { endsTurn, stopReason }: WireAnswer): readonly SessionCommand[] =>
  endsTurn ? [{ type: 'CompleteTurn', data: { sessionId, stopReason } }] : [];

/** Returns the ID of a message that clients never receive. */
const roundId = (digest: string): MessageId => MessageId(`r-${digest.slice(0, 32)}`);

/** Returns the IDs by which a client may refer to an answer instead of sending it. */
const aliasesOf = ({ id, named }: WireAnswer, chain: string, digester: Digester) => [
  ...(id === undefined ? [] : [{ name: answerName(id), digest: chain }]),
  ...named.map((item) => ({
    name: itemName(item.id),
    digest: item.essence === undefined ? '' : digester(item.essence),
  })),
];

export const answerName = (id: string): string => `answer ${id}`;
export const itemName = (id: string): string => `item ${id}`;
