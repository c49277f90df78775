import { sumTokens, Tokens } from '@app/kernel';
import { partTokens, withCalibration } from '../../budget/calibration/calibration.js';
import { measuredAt, withSizes } from '../../occupancy/measured.js';
import { entriesFrom, messageTokens } from '../../occupancy/occupancy.js';
import type { Entry } from '../../session/entry.js';
import type { EventData, EventOf } from '../../session/events.js';
import type { MeasuredMessage } from '../../session/facts.js';
import type { ListGrowth } from '../../session/grow.js';
import { freedIn } from '../../session/marks.js';
import { type RequestRecord, withBillFor } from '../../session/request-parts.js';
import type { Measure, OpenSession } from '../../session/state.js';

/** Only the last completed, billed call of this epoch that this engine composed in full measures the next request. */
export const reportUsage = (
  before: OpenSession,
  { data }: EventOf<'UsageReported'>,
  grow: ListGrowth,
): OpenSession => {
  const { calibration, requestId, messageId, source } = data;
  const isForAnswer = requestId === undefined && source === 'reported' && messageId !== undefined;
  const state: OpenSession = {
    ...before,
    ...(calibration && { calibrations: withCalibration(before.calibrations, calibration) }),
    ...(requestId !== undefined && { requests: withBillFor(before.requests, requestId) }),
    ...(isForAnswer && { lastBilledMessageId: messageId }),
  };
  const usage = measureOf(before, data);
  return usage
    ? { ...state, usage, measured: measuredBy(state, usage, data.usage.outputTokens, grow) }
    : state;
};

/** The whole prompt: a provider that caches reports it in three parts. */
const promptTokens = ({ usage }: Pick<EventData<'UsageReported'>, 'usage'>): Tokens =>
  sumTokens([usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens]);

type RequestBill = Pick<
  EventData<'UsageReported'>,
  'usage' | 'outcome' | 'source' | 'requestId' | 'messageId'
>;

/** Returns the measure of the context in a bill; `undefined` if it measures nothing, or less than a known one. */
export const measureOf = (state: OpenSession, data: RequestBill): Measure | undefined => {
  const prompt = promptTokens(data);
  const { outputTokens } = data.usage;
  if (prompt + outputTokens === 0 || data.outcome !== 'completed' || data.source !== 'reported')
    return undefined;
  const carried = carriedBy(state, data);
  if (!carried || carried.messages < (state.usage?.messages ?? 0)) return undefined;
  const { hasAnswer, ...rest } = carried;
  return { prompt, tokens: Tokens(prompt + (hasAnswer ? outputTokens : 0)), ...rest, isBilled: true };
};

type Carried = Pick<Measure, 'messages' | 'answer' | 'contributed' | 'omittedTokens'> & {
  readonly hasAnswer: boolean;
};

/**
 * Returns the content of a billed request and the position of its answer; `undefined` if the context has changed
 * since.
 */
const carriedBy = (state: OpenSession, { requestId, messageId }: RequestBill): Carried | undefined => {
  if (requestId !== undefined) {
    const request = state.requests.find((one) => one.requestId === requestId);
    if (!request || request.isVoid || request.rung) return undefined;
    const { messages, contributed, omittedTokens } = request;
    const answer = answerTo(state, request)?.position;
    return { messages, contributed, omittedTokens, answer, hasAnswer: answer !== undefined };
  }
  const { contributed } = state.request;
  if (messageId === undefined) {
    const last = state.entries.at(-1);
    const answer = last?.message.role === 'assistant' ? last.position : undefined;
    const messages = answer ?? state.messages;
    return { messages, answer, contributed, omittedTokens: 0, hasAnswer: true };
  }
  // The answer has no composed request: its request was sent after the message before it.
  const place = state.entries.findLastIndex((entry) => entry.message.id === messageId);
  const [asked, answer] = [state.entries[place - 1], state.entries[place]];
  const since = state.epochSince ?? -1;
  if (!answer || answer.revision <= since || (asked && asked.revision <= since)) return undefined;
  const { position } = answer;
  return { messages: position, answer: position, contributed, omittedTokens: 0, hasAnswer: true };
};

/**
 * Returns the answer to a request, if it is in the context: the first one after it that belongs to no later request.
 */
const answerTo = (state: OpenSession, request: RequestRecord): Entry | undefined => {
  const answer = entriesFrom(state, request.messages).find(({ message }) => message.role === 'assistant');
  return answer && requestFor(state, answer) === request ? answer : undefined;
};

/** Returns the request of an answer: the last one before it without another answer in between; else `undefined`. */
export const requestFor = (state: OpenSession, answer: Entry): RequestRecord | undefined => {
  const request = state.requests.findLast(({ messages }) => messages <= answer.position);
  if (!request) return undefined;
  const between = entriesFrom(state, request.messages).find(({ message }) => message.role === 'assistant');
  return between === undefined || between.position >= answer.position ? request : undefined;
};

/** Returns the billed sizes of messages: of the answer, and of messages since the previous bill. */
const measuredBy = (
  state: OpenSession,
  { prompt, messages, answer, contributed, omittedTokens }: Measure,
  output: number,
  grow: ListGrowth,
): readonly MeasuredMessage[] => {
  const { usage: before } = state;
  const estimateOf = (entry: Entry): number => messageTokens(state, entry);
  const freedOf = freedIn(state);
  const said = answer === undefined ? [] : entriesFrom(state, answer).slice(0, 1);
  const known = withSizes(state.measured, said, output, { estimateOf, freedOf, grow });
  if (!before || before.messages >= messages || before.omittedTokens !== omittedTokens) return known;
  const more = partTokens(state, contributed - before.contributed);
  const news = entriesFrom(state, before.messages).filter(({ position }) => position < messages);
  return withSizes(known, news, prompt - before.prompt - more, { estimateOf, freedOf, grow });
};

/** Returns the billed tokens of a prompt's messages with known sizes, and the rest. */
export const splitByBill = (
  state: OpenSession,
  messages: number,
): { readonly billed: number; readonly unbilled: readonly Entry[] } => {
  const freedOf = freedIn(state);
  let billed = 0;
  const unbilled = state.entries.filter((entry) => {
    if (entry.position >= messages) return false;
    const known = measuredAt(state.measured, entry.position);
    if (!known) return true;
    billed += Math.max(0, known.billed - partTokens(state, freedOf(entry) - (known.freed ?? 0)));
    return false;
  });
  return { billed, unbilled };
};

/** Folds a provider's count like a bill of the whole request; a failed count has no effect. */
export const takeCount = (state: OpenSession, { data }: EventOf<'RequestCounted'>): OpenSession => {
  if (data.counter !== 'provider') return state;
  const { tokens, contributed, calibration, omittedTokens = 0 } = data;
  const { messages, request } = state;
  return {
    ...state,
    ...(calibration && { calibrations: withCalibration(state.calibrations, calibration) }),
    request: { ...request, contributed },
    usage: {
      prompt: tokens,
      tokens,
      messages,
      answer: undefined,
      contributed,
      ...{ omittedTokens, isBilled: false },
    },
  };
};
