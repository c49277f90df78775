import { atomicGroups, downgradeReasoning, type Message, verifySummary } from '@app/domain';
import type { SummaryRequest, SummaryResult, TokenCounter } from '@app/ports';
import { faultOf } from '../failures/fault.js';
import { shortenTexts } from './shorten-texts.js';
import type { SummarizerCalls } from './summarizer-calls.js';

/** Of the summarizer's window, what the retained messages may take: they are shown, and not summarized. */
const RETAINED_SHARE = 0.25;

type Group = { readonly messages: readonly Message[]; readonly tokens: number };
export type Tools = {
  readonly calls: SummarizerCalls;
  readonly counter: TokenCounter;
  readonly tokensOf: (messages: readonly Message[]) => number;
};

/**
 * Summarizes what `request` asks for by as many calls as the summarizer's own window takes: atomic groups, oldest
 * first, each part's summary being the previous one of the next. A part that the summarizer refuses as too large is
 * parted again. A summary in between that breaks a rule is handed back as the result, which is refused for it.
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
  const room = Math.max(1, inputMax - besidesMessages(shown, tools));
  const fitting = groups.map((group) => withinRoom(group, room, tools));
  return foldParts(shown, partition(fitting, room), tools, signal);
};

const groupsOf = ({ messages }: SummaryRequest, { tokensOf }: Tools): readonly Group[] =>
  atomicGroups(messages).map(({ start, end }) => {
    const part = messages.slice(start, end);
    return { messages: part, tokens: tokensOf(part) };
  });

/** Tokens of everything in a request but the messages to summarize; an earlier part's summary may take all its room. */
const besidesMessages = (request: SummaryRequest, { counter, tokensOf }: Tools): number => {
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

/** A group that alone is too large is shown with its longest texts cut: it cannot be parted. */
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
        // Only what comes last stands right before what stays.
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
  return callOrPart(request, [], tools, signal); // Nothing but an earlier summary.
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

/** Two parts of about the same size, neither empty. */
const halves = (groups: readonly Group[]): readonly (readonly Group[])[] => {
  const half = groups.reduce((sum, { tokens }) => sum + tokens, 0) / 2;
  let [at, before] = [0, 0];
  while (at < groups.length - 1 && (at === 0 || before < half)) {
    before += groups[at]?.tokens ?? 0;
    at += 1;
  }
  return [groups.slice(0, at), groups.slice(at)];
};
