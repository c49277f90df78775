import type { TokenCounter } from '@app/ports';

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
