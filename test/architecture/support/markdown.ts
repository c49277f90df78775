import { linesOf } from './project.js';

/** Returns the text without code blocks, whose content is neither link nor heading. Keeps line numbers. */
const proseOf = (text: string): string => {
  let fence: string | undefined;
  return linesOf(text)
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === undefined) {
        fence = mark;
        return mark === undefined ? line : '';
      }
      if (mark?.startsWith(fence)) fence = undefined;
      return '';
    })
    .join('\n');
};

/** Returns the targets of links and images as written. */
export const linksIn = (text: string): readonly string[] => {
  const prose = proseOf(text).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
  const inText = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)];
  const below = [...prose.matchAll(/^\s{0,3}\[[^\]]+\]:\s+(\S+)/gm)];
  return [...inText, ...below].map(([, target = '']) => target);
};

export type Section = { readonly heading: string; readonly body: string };

/**
 * Returns the sections of a page, each from a heading of that level to the next one of the same or a higher level.
 */
export const sectionsOf = (text: string, level: number): readonly Section[] => {
  const sections: { heading: string; lines: string[] }[] = [];
  let isInside = false;
  for (const line of linesOf(proseOf(text))) {
    const found = /^(#{1,6})\s+(.*?)\s*$/.exec(line);
    const marks = found?.[1]?.length ?? Number.POSITIVE_INFINITY;
    if (marks === level) sections.push({ heading: found?.[2] ?? '', lines: [] });
    else if (isInside && marks > level) sections.at(-1)?.lines.push(line);
    if (marks <= level) isInside = marks === level;
  }
  return sections.map(({ heading, lines }) => ({ heading, body: lines.join('\n') }));
};

/** Returns the anchors of a page's headings, as GitHub generates them. */
export const anchorsOf = (text: string): ReadonlySet<string> => {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(text).matchAll(/^#{1,6}\s+(.*?)\s*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const base = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
};
