import {
  atomicGroups,
  type Block,
  downgradeReasoning,
  isText,
  isToolResult,
  type Message,
  resultText,
  verifySummary,
} from '@app/domain';
import { headAndTail } from '@app/kernel';
import type { SummaryRequest, SummaryResult, TokenCounter } from '@app/ports';
import { faultOf } from '../failure-of.js';
import type { SummarizerCalls } from './summarizer-calls.js';

/** Share of the summarizer's window for the retained messages, which are shown as context. */
const RETAINED_SHARE = 0.25;

type Group = { readonly messages: readonly Message[]; readonly tokens: number };
export type Tools = {
  readonly calls: SummarizerCalls;
  readonly counter: TokenCounter;
  readonly tokensOf: (messages: readonly Message[]) => number;
};

/**
 * Summarizes with the number of calls that the summarizer's window requires: atomic groups, oldest first, with each part's summary as
 * the previous summary of the next. A part that the summarizer rejects as too large is split again. An intermediate summary
 * that breaks a rule is returned as the result, which verification then rejects.
 */
export const summarizeInParts = async (
  request: SummaryRequest,
  tools: Tools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const groups = groupsOf(request, tools);
  const { inputMax } = tools.calls.limits;
  if (inputMax === undefined) return callOrPart(request, groups, tools, signal);
  const shown = { ...request, retained: newestWithin(request.retained, inputMax * RETAINED_SHARE, tools) };
  const room = Math.max(1, inputMax - tokensBesideMessages(shown, tools));
  const fitting = groups.map((group) => withinRoom(group, room, tools));
  return foldParts(shown, partition(fitting, room), tools, signal);
};

const groupsOf = ({ messages }: SummaryRequest, { tokensOf }: Tools): readonly Group[] =>
  atomicGroups(messages).map(({ start, end }) => {
    const part = messages.slice(start, end);
    return { messages: part, tokens: tokensOf(part) };
  });

/** Returns the tokens of a request besides the messages to summarize; an earlier part's summary may use its whole limit. */
const tokensBesideMessages = (request: SummaryRequest, { counter, tokensOf }: Tools): number => {
  const { previousSummary = '', instructions = '', contextLines = [] } = request;
  const { fileOperations, retained, sizeMax } = request;
  const { read, modified, deleted = [], renamed = [] } = fileOperations;
  const moved = renamed.map(({ from, to }) => `${from} -> ${to}`);
  const files = [...read, ...modified, ...deleted, ...moved].join('\n');
  return (
    Math.max(counter.count(previousSummary), sizeMax) +
    counter.count(instructions) +
    counter.count(contextLines.join('\n')) +
    counter.count(files) +
    tokensOf(retained)
  );
};

const newestWithin = (
  messages: readonly Message[],
  room: number,
  { tokensOf }: Tools,
): readonly Message[] => {
  let [from, left] = [messages.length, room];
  for (const message of [...messages].reverse()) {
    left -= tokensOf([message]);
    if (left < 0) break;
    from -= 1;
  }
  return messages.slice(from);
};

/** Shortens the longest texts of a group that is too large by itself, since it cannot be split. */
const withinRoom = (group: Group, room: number, { counter }: Tools): Group => {
  if (group.tokens <= room) return group;
  const messages = shortenTexts(group.messages, Math.floor(room * (1 - RETAINED_SHARE)), counter);
  return { messages, tokens: room };
};

const partition = (groups: readonly Group[], room: number): readonly (readonly Group[])[] => {
  const parts: Group[][] = [];
  let left = 0;
  for (const group of groups) {
    const open = parts.at(-1);
    if (open && group.tokens <= left) open.push(group);
    else parts.push([group]);
    left = (open && group.tokens <= left ? left : room) - group.tokens;
  }
  return parts;
};

const foldParts = async (
  request: SummaryRequest,
  parts: readonly (readonly Group[])[],
  tools: Tools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  let { previousSummary } = request;
  let after = request.messages.length;
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const messages = part.flatMap((group) => group.messages);
    after -= messages.length;
    const result = await callOrPart(
      {
        ...request,
        messages,
        splitPrefix: Math.min(messages.length, Math.max(0, request.splitPrefix - after)),
        // Only the last part is directly followed by the retained messages.
        retained: isLast ? request.retained : [],
        ...(previousSummary !== undefined && { previousSummary }),
      },
      part,
      tools,
      signal,
    );
    if (isLast || verifySummary(result)) return result;
    previousSummary = downgradeReasoning(result.text, []).text;
  }
  return callOrPart(request, [], tools, signal); // There is only an earlier summary.
};

const callOrPart = async (
  request: SummaryRequest,
  groups: readonly Group[],
  tools: Tools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  try {
    return await tools.calls.summarize(request, signal);
  } catch (error) {
    if (signal.aborted || groups.length < 2 || faultOf(error)?.fault !== 'overflow') throw error;
    return foldParts(request, halves(groups), tools, signal);
  }
};

/** Splits groups into two non-empty parts of similar size. */
const halves = (groups: readonly Group[]): readonly (readonly Group[])[] => {
  const half = groups.reduce((sum, { tokens }) => sum + tokens, 0) / 2;
  let [at, before] = [0, 0];
  while (at < groups.length - 1 && (at === 0 || before < half)) {
    before += groups[at]?.tokens ?? 0;
    at += 1;
  }
  return [groups.slice(0, at), groups.slice(at)];
};

/** Minimum UTF-16 units of a shortened text; less is not informative. */
const TEXT_MIN = 200;

/**
 * Shortens texts and tool results to head and tail, longest first, until the messages take `room` tokens or reach the minimum.
 * Used for summarizers in whose window they do not fit; the log keeps the originals.
 */
const shortenTexts = (
  messages: readonly Message[],
  room: number,
  counter: TokenCounter,
): readonly Message[] => {
  const texts = messages.flatMap(({ blocks }) => blocks.map(textOfBlock));
  let max = texts.reduce((longest, text) => Math.max(longest, text.length), 0);
  const tokens = (): number => texts.reduce((sum, text) => sum + counter.count(headAndTail(text, max)), 0);
  while (max > TEXT_MIN && tokens() > room) max = Math.max(TEXT_MIN, Math.floor(max / 2));
  return messages.map((message) => ({
    ...message,
    blocks: message.blocks.map((block) => shortened(block, max)),
  }));
};

const textOfBlock = (block: Block): string => {
  if (isText(block)) return block.text;
  return isToolResult(block) ? resultText(block) : '';
};

const shortened = (block: Block, max: number): Block => {
  if (textOfBlock(block).length <= max) return block;
  if (isText(block)) return { ...block, text: headAndTail(block.text, max) };
  return isToolResult(block) ? { ...block, content: headAndTail(resultText(block), max) } : block;
};
