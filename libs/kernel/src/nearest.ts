/** Characters of the longest name that is compared with the known ones. */
const COMPARED_MAX = 40;

/** Returns the known name that a typing mistake or two lead to; `undefined` where none is that near. */
export const nearestOf = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > COMPARED_MAX) return undefined;
  let [nearest, least]: [string | undefined, number] = [
    undefined,
    (name.length < 5 ? 1 : Math.max(2, Math.ceil(name.length / 3))) + 1,
  ];
  for (const one of known) {
    const distance = distanceOf(name.toLowerCase(), one.toLowerCase());
    if (distance < least && distance < one.length) [nearest, least] = [one, distance];
  }
  return nearest;
};

/** Characters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
const distanceOf = (one: string, other: string): number => {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const [above = 0, left = 0, across = 0] = [last[column], next[column - 1], last[column - 1]];
      const swapped = isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(above + 1, left + 1, across + (isSame ? 0 : 1), swapped));
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
};
