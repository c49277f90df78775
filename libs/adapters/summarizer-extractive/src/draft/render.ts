import { quoteLine } from '@app/domain';
import type { Group, Line, Section } from '../facts/section.js';

/** The chosen lines of one section as Markdown. No line of content can be taken for a heading: each has a mark. */
export const renderSection = (section: Section, chosen: ReadonlySet<Line>): string => {
  const parts = new Map<string | Group, string[]>();
  for (const group of section.groups) {
    const lines = group.lines.filter((line) => chosen.has(line));
    if (lines.length === 0) continue;
    const part = placeOf(group, lines);
    const known = parts.get(part);
    const items = itemsOf(group, lines);
    if (known) known.push(...items);
    else parts.set(part, items);
  }
  const rendered = [...parts].flatMap(([label, items]) =>
    typeof label === 'string' ? [label, ...items] : items,
  );
  return [`## ${section.title}`, ...rendered].join('\n');
};

/** Returns the label of a group's lines; the group itself without one. */
const placeOf = (group: Group, lines: readonly Line[]): string | Group => {
  if (group.kind === 'quote') return group;
  const isAlone = lines.length === 1 && lines[0]?.id !== undefined;
  return (isAlone ? (group.alone ?? group.label) : group.label) ?? group;
};

const itemsOf = (group: Group, lines: readonly Line[]): string[] => {
  if (group.kind === 'quote')
    return [
      quoteLine(
        lines.map(({ text }) => text),
        group.id,
      ),
    ];
  return lines.map(({ text, id }, at) => (id === lines[at - 1]?.id ? `- ${text}` : `- ${text} [${id}]`));
};

/** Returns the text that a line adds to a section; its message is named unless another line of the group names it. */
export const printed = (group: Group, { text, id }: Line, isNamed: boolean): string => {
  if (group.kind === 'quote') return ` ${text}`;
  return id === undefined || isNamed ? `- ${text}\n` : `- ${text} [${id}]\n`;
};
/** Returns the label of a line in a group that contains the lines `beside`. */
export const introduction = (group: Group, beside: readonly Line[], line: Line): string => {
  if (group.kind === 'quote') return beside.length === 0 ? `${quoteLine([], group.id)}\n` : '';
  const label = placeOf(group, [...beside.slice(0, 1), line]);
  return typeof label === 'string' ? `${label}\n` : '';
};
