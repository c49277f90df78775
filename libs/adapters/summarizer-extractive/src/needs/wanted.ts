/** What a name and the words beside it take at the least, in tokens. */
const NAME_TOKENS = 4;
/** Where there is room for more, there is room for whole lines. */
const NAMES_MAX = 600;

/** The keys of most worth, as many as could stand in `sizeMax` tokens; among equals the first. */
export const wantedOf = (
  keys: Iterable<string>,
  worth: (key: string) => number,
  sizeMax: number,
): ReadonlySet<string> => {
  const ranked = [...keys].map((key) => ({ key, worth: worth(key) })).sort((a, b) => b.worth - a.worth);
  const count = Math.min(NAMES_MAX, Math.ceil(sizeMax / NAME_TOKENS));
  return new Set(ranked.slice(0, count).map(({ key }) => key));
};
