import { memberRanges, type Range } from './ranges.js';

/** The replacement of a member of the outermost object: JSON, or its removal. */
export type Replacement = { readonly member: string; readonly json: string | undefined };

export type Spliced = {
  readonly text: string;
  /** Returns the place in the new text of a place outside the replaced values; absent where a member is left out. */
  readonly placeOf?: (at: number) => number;
};

/**
 * Replaces, adds or leaves out some of the members of an object. Other bytes stay as they are, except blanks between members where
 * one is left out.
 *
 * @param known the range of a long value, if it is known.
 */
export const splice = (text: string, replacements: readonly Replacement[], known?: Range): Spliced => {
  const ranges = memberRanges(text, known);
  const isLeftOut = replacements.some(({ json }) => json === undefined);
  if (!isLeftOut && ranges.size > 0) {
    const last = Math.max(...[...ranges.values()].map(({ end }) => end));
    const edits = replacements
      .map(({ member, json = 'null' }) => {
        const range = ranges.get(member);
        return range
          ? { ...range, json }
          : { start: last, end: last, json: `,${JSON.stringify(member)}:${json}` };
      })
      .sort((a, b) => a.start - b.start);
    let [result, from] = ['', 0];
    for (const { start, end, json } of edits) {
      result += text.slice(from, start) + json;
      from = end;
    }
    const placeOf = (at: number): number =>
      edits.reduce(
        (place, { start, end, json }) => (end <= at ? place + json.length - (end - start) : place),
        at,
      );
    return { text: result + text.slice(from), placeOf };
  }
  const names = new Map(replacements.map(({ member, json }) => [member, json]));
  const kept = [...ranges].filter(([name]) => !names.has(name));
  const members = [
    ...kept.map(([name, { start, end }]) => `${JSON.stringify(name)}:${text.slice(start, end)}`),
    ...replacements.flatMap(({ member, json }) =>
      json === undefined ? [] : [`${JSON.stringify(member)}:${json}`],
    ),
  ];
  return { text: `{${members.join(',')}}` };
};
