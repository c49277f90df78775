import { frameSummary, verifySummary, withUsersLines } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer, SummaryResult, TokenCounter } from '@app/ports';
import { readBackIn, type SummaryTask, summaryRequest } from './summary-request.js';

/** Heading of facts that were extracted from the log. */
const HEADING = '## From the log';
/** Extracted sections to include; the prose covers the others. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  // The prose states the goal, so this section is titled as the user's words.
  ['Goal', 'Asked for'],
  ...['Constraints', 'Files', 'Commands', 'Errors', 'Facts'].map((title) => [title, title] as const),
]);

/** Returns a summary without its facts; anything below the heading is dropped, even if a model has imitated it. */
export const proseWithoutLogPart = (summary: string): string => {
  const at = placeOf(summary);
  return at < 0 ? summary : summary.slice(0, at).trimEnd();
};

/** Returns the facts of an earlier summary in the extractor's form; `undefined` without any. */
export const logPart = (summary: string): string | undefined => {
  const at = placeOf(summary);
  if (at < 0) return undefined;
  const facts = summary.slice(at).trim().slice(HEADING.length);
  return facts.replace(/^### (.+)$/gm, (_, title: string) => `## ${takenAs(title)}`).trim();
};

const takenAs = (shown: string): string => [...SECTIONS].find(([, title]) => title === shown)?.[0] ?? shown;

const placeOf = (summary: string): number => {
  if (summary.startsWith(HEADING)) return 0;
  return summary.lastIndexOf(`\n${HEADING}\n`);
};

/** Returns `prose` followed by the new lines of `taken`, as far as there is room. */
export const sectionsFromLog = (
  prose: string,
  taken: string,
  { room, counter }: { readonly room: number; readonly counter: TokenCounter },
): string => {
  const lines: string[] = [];
  let left = room - counter.count(`\n\n${HEADING}\n`);
  const add = (added: readonly string[]): boolean => {
    const tokens = added.reduce((sum, line) => sum + counter.count(line) + 1, 0);
    if (tokens > left) return false;
    left -= tokens;
    lines.push(...added);
    return true;
  };
  for (const { title, body } of sectionsOf(taken)) {
    const shown = SECTIONS.get(title);
    if (shown === undefined) continue;
    const fresh = body.filter(
      (line) => line.trim() !== '' && !prose.includes(line.replace(/^[-*] /, '').trim()),
    );
    // The tokens of a heading or label are counted with its first line.
    let waiting = [`### ${shown}`];
    for (const line of fresh) {
      if (isLabel(line)) waiting = [...waiting.filter((one) => !isLabel(one)), line];
      else if (add([...waiting, line])) waiting = [];
    }
  }
  return lines.length === 0 ? prose : `${prose.trimEnd()}\n\n${HEADING}\n${lines.join('\n')}`;
};

const isLabel = (line: string): boolean => line.endsWith(':') && !/^[->]/.test(line);

type Section = { readonly title: string; readonly body: string[] };

const sectionsOf = (summary: string): readonly Section[] => {
  const sections: Section[] = [];
  for (const line of summary.split('\n')) {
    const title = /^## (.+)$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
};

/** Share of the summary's tokens for the model's prose if facts from the log follow it. */
export const PROSE_SHARE = 0.75;
/** The extractor also writes sections that the prose already covers, so it receives more room. */
const ROOM_FOR_OTHERS = 1.5;
/** Maximum share of facts, even if the model writes little: identifiers without explanation are useless. */
const FACTS_SHARE_MAX = 0.35;
/** Minimum tokens for the section. */
const ROOM_MIN = 60;

type FactTools = { readonly facts: Summarizer; readonly counter: TokenCounter };

/**
 * Appends to a model's summary facts that are extracted from the log: the user's directives, files, commands, errors and names,
 * as far as there is room. A summary that breaks a rule is returned unchanged; verification rejects it.
 */
export const withFactsFromLog = async (
  result: SummaryResult,
  task: SummaryTask,
  { facts, counter }: FactTools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const prose = proseWithoutLogPart(result.text);
  if (verifySummary({ ...result, text: prose })) return result;
  const framed = frameSummary(withUsersLines(prose, task.users.lines), task.compactionId, readBackIn(task));
  const { countedSummaryLimit } = task.plan;
  const left = countedSummaryLimit - counter.count(framed) - FRAMING_TOKENS;
  const room = Math.min(left, Math.floor(countedSummaryLimit * FACTS_SHARE_MAX));
  if (room < ROOM_MIN) return { ...result, text: prose };
  const { previousSummary, brokenRule: _, ...request } = summaryRequest(task);
  const before = previousSummary === undefined ? undefined : logPart(previousSummary);
  const taken = await facts.summarize(
    {
      ...request,
      ...(before !== undefined && { previousSummary: before }),
      sizeMax: Tokens(Math.floor(room * ROOM_FOR_OTHERS)),
    },
    signal,
  );
  return { ...result, text: sectionsFromLog(prose, taken.text, { room, counter }) };
};

/** Maximum difference in tokens between a whole and the sum of its parts. */
const FRAMING_TOKENS = 16;
