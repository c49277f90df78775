import type { MessageId } from '@app/kernel';
import { carriesRecall, recallCall, type WayBack } from './recall-tool.js';

/**
 * Only such ids are written into placeholders, whose size must be known in advance; ids of providers and of this
 * engine match.
 */
const NAMEABLE = /^[\w.:-]{1,48}$/;
/** Counted tokens of a placeholder at most: with a route in it, or with a call of the tool. */
const BY_ROUTE_TOKENS = 32;
const BY_TOOL_TOKENS = 56;

/** Returns the upper bound of a placeholder in counted tokens. */
export const placeholderTokens = (session: Parameters<typeof carriesRecall>[0]): number =>
  carriesRecall(session) ? BY_TOOL_TOKENS : BY_ROUTE_TOKENS;

/** Placeholders of dropped outputs, cleared results and snipped steps in a request without the recall tool. */
export const DROPPED_OUTPUT_TEXT =
  '[This tool output was dropped to save room: GET /v1/sessions/{session}/messages/{message} has it.]';
export const CLEARED_RESULT_TEXT =
  '[This old result was left out to save room: GET /v1/sessions/{session}/messages/{message} has it.]';
export const SNIPPED_TEXT =
  '[Earlier messages were left out to save room: GET /v1/sessions/{session}/messages/{message} has each.]';

/** Placeholder of a dropped output in a request with the recall tool. */
export const droppedOutputText = (callId: string, way: WayBack): string =>
  isNamed(callId, way)
    ? `[This tool output was dropped to save room: ${recallCall({ call: callId })}]`
    : DROPPED_OUTPUT_TEXT;
export const clearedResultText = (callId: string, way: WayBack): string =>
  isNamed(callId, way)
    ? `[This old result was left out to save room: ${recallCall({ call: callId })}]`
    : CLEARED_RESULT_TEXT;
/** @param first of `count` messages. */
export const snippedText = (first: MessageId, count: number, way: WayBack): string =>
  isNamed(first, way)
    ? `[Earlier messages were left out to save room: ${recallCall({ message: first, messages: count })}]`
    : SNIPPED_TEXT;

/** Whether a placeholder names the id that the tool reads by. */
export const isNamed = (id: string, way: WayBack): boolean => way === 'tool' && NAMEABLE.test(id);
