import type { Call } from '../facts/calls.js';
import type { Utterance } from '../facts/conversation.js';
import { type Group, LABELS, type Line, list, type Section } from '../facts/section.js';
import type { Material } from '../material.js';
import { bounded, cleanLines } from '../text/lines.js';
import { oneLine } from '../text/one-line.js';

const READ_MAX = 16 * 1024;
const CALLS_SHOWN = 8;
/** Earlier texts are for the room that is left. */
const TEXTS_BEFORE = 200;
const NOTHING = 'Nothing was said or done in this part.';
const TOOLS_NAMED = 8;
/** Rank after the first line of the last text. */
const LAST_CALL_RANK = 9_999.5;
/** Behind its second. */
const END_RANK = 9_998.5;

/** Returns the state at the end of the covered part: the last text and the last calls. */
export const stateSection = ({ request, covered, lineMax }: Material): Section => {
  const splitFrom = request.messages.length - request.splitPrefix;
  const turn = request.splitPrefix > 0 ? [turnSoFar(covered.calls, splitFrom, lineMax)] : [];
  const last = covered.assistant.at(-1);
  const before = covered.assistant.slice(-1 - TEXTS_BEFORE, -1);
  const groups: readonly Group[] = [
    list(turn),
    list(
      linesOf(before, lineMax, -10_000).filter(({ text }) => !text.endsWith(':')),
      LABELS.saidBefore,
    ),
    list(last ? endFirst(linesOf([last], lineMax, 10_000)) : [], LABELS.saidLast),
    list(lastCalls(covered.calls, lineMax), LABELS.lastCalls),
  ];
  const isEmpty = groups.every(({ lines }) => lines.length === 0);
  return { title: 'State', groups: isEmpty ? [list([{ text: NOTHING, rank: 0 }])] : groups };
};

/** Lines of `texts` with ranks from `top` down: newer texts before older, each from its beginning. */
const linesOf = (texts: readonly Utterance[], lineMax: number, top: number): readonly Line[] => {
  let rank = top;
  return [...texts]
    .reverse()
    .map(({ text }) =>
      bounded(text, READ_MAX)
        .flatMap((part) => [...cleanLines(part, lineMax)])
        .map((line): Line => ({ text: line, rank: rank-- })),
    )
    .reverse()
    .flat();
};

/**
 * Orders the end of a text, with questions and announcements, directly after its beginning; a line that announces
 * others comes after the first of those.
 */
const endFirst = (lines: readonly Line[]): readonly Line[] =>
  lines.map((line, at): Line => {
    if (at === lines.length - 1) return { ...line, rank: Math.max(line.rank, END_RANK) };
    return line.text.endsWith(':') ? { ...line, rank: line.rank - 1.5 } : line;
  });

const lastCalls = (calls: readonly Call[], lineMax: number): readonly Line[] =>
  calls.slice(-CALLS_SHOWN).map((call, at) => ({
    text: oneLine(`${oneLine(call.what, Math.floor(lineMax / 2))} → ${returned(call, lineMax)}`, lineMax),
    // After the first lines of the last text, before its rest; the newest call as soon as there is any room.
    rank: at === Math.min(calls.length, CALLS_SHOWN) - 1 ? LAST_CALL_RANK : 9_990 + at,
  }));

const returned = ({ outcome, error, output }: Call, lineMax: number): string => {
  if (error !== undefined) return `failed, ${error}`;
  const [first] = bounded(output, READ_MAX).flatMap((part) => [...cleanLines(part, lineMax)]);
  return first === undefined ? outcome : `${outcome}, ${first}`;
};

const turnSoFar = (calls: readonly Call[], splitFrom: number, lineMax: number): Line => {
  const counts = new Map<string, number>();
  for (const { name } of calls.filter(({ at }) => at >= splitFrom))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const tools = [...counts]
    .slice(0, TOOLS_NAMED)
    .map(([name, times]) => (times > 1 ? `${name} ×${times}` : name));
  const calledTools = tools.length > 0 ? `, so far with the tools ${tools.join(', ')}` : '';
  const text = `A turn is under way${calledTools}; its newer part follows this record word for word.`;
  return { text: oneLine(text, lineMax), rank: 20_000 };
};
