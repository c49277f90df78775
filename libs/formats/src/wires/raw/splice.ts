import { memberRanges } from './ranges.js';

/** The replacement of a member of the outermost object: JSON, or its removal. */
export type Replacement = { readonly member: string; readonly json: string | undefined };

/** The text of an object with some of its members replaced, added or left out; every other byte stays as it is. */
export const spliced = (text: string, replacements: readonly Replacement[]): string => {
  const ranges = memberRanges(text);
  const names = new Map(replacements.map(({ member, json }) => [member, json]));
  const isLeftOut = replacements.some(({ json }) => json === undefined);
  if (!isLeftOut && replacements.every(({ member }) => ranges.has(member))) {
    const ordered = [...replacements].sort((a, b) => startOf(ranges, a) - startOf(ranges, b));
    let [result, from] = ['', 0];
    for (const { member, json = 'null' } of ordered) {
      const range = ranges.get(member) ?? { start: from, end: from };
      result += text.slice(from, range.start) + json;
      from = range.end;
    }
    return result + text.slice(from);
  }
  const kept = [...ranges].filter(([name]) => !names.has(name));
  const members = [
    ...kept.map(([name, { start, end }]) => `${JSON.stringify(name)}:${text.slice(start, end)}`),
    ...replacements.flatMap(({ member, json }) =>
      json === undefined ? [] : [`${JSON.stringify(member)}:${json}`],
    ),
  ];
  return `{${members.join(',')}}`;
};

const startOf = (ranges: ReturnType<typeof memberRanges>, { member }: Replacement): number =>
  ranges.get(member)?.start ?? 0;
