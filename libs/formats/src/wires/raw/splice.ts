import { memberRanges } from './ranges.js';

/** The replacement of a member of the outermost object: JSON, or its removal. */
export type Replacement = { readonly member: string; readonly json: string | undefined };

/**
 * The text of an object with some of its members replaced, added or left out. Other bytes stay as they are, except blanks between
 * members where one is left out.
 */
export const spliced = (text: string, replacements: readonly Replacement[]): string => {
  const ranges = memberRanges(text);
  const isLeftOut = replacements.some(({ json }) => json === undefined);
  if (!isLeftOut && ranges.size > 0) {
    const last = Math.max(...[...ranges.values()].map(({ end }) => end));
    const edits = replacements.map(({ member, json = 'null' }) => {
      const range = ranges.get(member);
      return range
        ? { ...range, json }
        : { start: last, end: last, json: `,${JSON.stringify(member)}:${json}` };
    });
    let [result, from] = ['', 0];
    for (const { start, end, json } of edits.sort((a, b) => a.start - b.start)) {
      result += text.slice(from, start) + json;
      from = end;
    }
    return result + text.slice(from);
  }
  const names = new Map(replacements.map(({ member, json }) => [member, json]));
  const kept = [...ranges].filter(([name]) => !names.has(name));
  const members = [
    ...kept.map(([name, { start, end }]) => `${JSON.stringify(name)}:${text.slice(start, end)}`),
    ...replacements.flatMap(({ member, json }) =>
      json === undefined ? [] : [`${JSON.stringify(member)}:${json}`],
    ),
  ];
  return `{${members.join(',')}}`;
};
