import { type Block, isReasoning, isText, isToolResult, isToolUse } from '../../message/index.js';
import { isBlankText, type Violation } from '../violation.js';
import type { AnthropicRequest } from './anthropic-request.js';
import { type AnthropicMessage, CACHE_MARKS_MAX, cacheMarksIn, cacheMarksOf } from './cache-marks.js';

/**
 * Returns the violations of the rules of Anthropic's Messages API, which it answers with
 * 400. An unanswered call in the last message is valid, because its results follow.
 */
export const validateAnthropic = ({
  messages,
  system,
  tools = [],
}: AnthropicRequest): readonly Violation[] => {
  const found: Violation[] = [];
  const report = (rule: string, at: number): void => void found.push({ rule, at });
  if (messages.length === 0) report('at least one message is required', 0);
  if (messages.length > 0 && messages[0]?.role !== 'user') report('the first message must be the user’s', 0);
  if (typeof system === 'string' && isBlankText(system)) report('system text must not be blank', 0);
  const marks = cacheMarksIn(tools) + cacheMarksOf(messages);
  if (marks > CACHE_MARKS_MAX) report('more than four cache marks', messages.length - 1);

  const ids = new Set<string>();
  let called: readonly string[] = [];
  let results = messages[0] ? resultsIn(messages[0]) : NO_IDS;
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (!message) continue;
    if (messages[at - 1]?.role === message.role) report('two messages of one role in a row', at);
    if (message.content.length === 0) report('a message without content', at);
    let isPastResults = false;
    for (const block of message.content) {
      checkBlock(block, message, at, report);
      if (!isToolResult(block)) isPastResults = true;
      else if (isPastResults) report('tool results must come before everything else', at);
    }
    const calls = callsIn(message);
    for (const id of calls) {
      if (ids.has(id)) report('two calls with one id', at);
      if (!CALL_ID.test(id)) report('a call id with characters that are not allowed', at);
      ids.add(id);
    }
    const after = messages[at + 1];
    const answers = after && resultsIn(after);
    checkPairs({ calls, called, results, answers }, at, report);
    called = calls;
    results = answers ?? NO_IDS;
  }
  return found;
};

type Report = (rule: string, at: number) => void;

const checkBlock = (block: Block, { role, content }: AnthropicMessage, at: number, report: Report): void => {
  if (isText(block) && isBlankText(block.text)) report('an empty text block', at);
  if (isToolResult(block)) {
    if (role !== 'user') report('a tool result outside a user message', at);
    if (
      Array.isArray(block.content) &&
      block.content.some((part) => part.type === 'text' && isBlankText(part.text))
    ) {
      report('an empty text block in a tool result', at);
    }
  }
  if (isToolUse(block) && role !== 'assistant') report('a tool call outside an assistant message', at);
  if (isReasoning(block)) {
    if (role !== 'assistant') report('reasoning outside an assistant message', at);
    if (block.type === 'thinking' && !block.signature) report('reasoning without a signature', at);
    if (content.at(-1) === block) report('reasoning at the end of a message', at);
  }
};

type Pairs = {
  readonly calls: readonly string[];
  /** The calls of the message before. */
  readonly called: readonly string[];
  readonly results: readonly string[];
  /** The results of the message after; `undefined` for the last message. */
  readonly answers: readonly string[] | undefined;
};

const checkPairs = ({ calls, called, results, answers }: Pairs, at: number, report: Report): void => {
  if (answers && calls.length > 0) {
    const isAnswered = amongIds(answers);
    for (const id of calls) if (!isAnswered(id)) report('a call without its result in the next message', at);
  }
  if (results.length === 0) return;
  const isAsked = amongIds(called);
  for (const id of results) if (!isAsked(id)) report('a result without its call in the message before', at);
  if (results.length > 1 && new Set(results).size < results.length) report('two results for one call', at);
};

/** IDs up to this number are looked through. */
const LOOKED_THROUGH_MAX = 8;

/** Returns whether an ID is among others: nearly all messages have one call or none. */
const amongIds = (ids: readonly string[]): ((id: string) => boolean) => {
  if (ids.length <= LOOKED_THROUGH_MAX) return (id) => ids.includes(id);
  const all = new Set(ids);
  return (id) => all.has(id);
};

const CALL_ID = /^[A-Za-z0-9_-]+$/;
const NO_IDS: readonly string[] = [];
const callsIn = ({ content }: AnthropicMessage): readonly string[] =>
  content.some(isToolUse) ? content.filter(isToolUse).map(({ id }) => id) : NO_IDS;
const resultsIn = ({ content }: AnthropicMessage): readonly string[] =>
  content.some(isToolResult) ? content.filter(isToolResult).map(({ tool_use_id: id }) => id) : NO_IDS;
