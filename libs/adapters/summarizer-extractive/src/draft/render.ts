import { quoteLine } from '@app/domain';
import type { Group, Line, Section } from './section.js';

/** The chosen lines of one section as Markdown. No line of content can be taken for a heading: each has a mark. */
export const renderSection = (section: Section, chosen: ReadonlySet<Line>): string =>
  [
    `## ${section.title}`,
    ...section.groups.flatMap((group) =>
      renderGroup(
        group,
        group.lines.filter((line) => chosen.has(line)),
      ),
    ),
  ].join('\n');

const renderGroup = (group: Group, lines: readonly Line[]): readonly string[] => {
  if (lines.length === 0) return [];
  if (group.kind === 'quote')
    return [
      quoteLine(
        lines.map(({ text }) => text),
        group.id,
      ),
    ];
  const items = lines.map(({ text }) => `- ${text}`);
  return group.label === undefined ? items : [group.label, ...items];
};

/** What a line adds to a rendered section, and what the first of a group adds beside it. */
export const printed = (group: Group, line: Line): string =>
  group.kind === 'quote' ? ` ${line.text}` : `- ${line.text}\n`;
export const surroundings = (group: Group): string => {
  if (group.kind === 'quote') return `${quoteLine([], group.id)}\n`;
  return group.label === undefined ? '' : `${group.label}\n`;
};
