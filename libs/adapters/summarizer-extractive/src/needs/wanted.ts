/** Minimum tokens of a name with surrounding words. */
const NAME_TOKENS = 4;
/** Maximum names: with more room, whole lines fit. */
const NAMES_MAX = 600;

/** Returns the most valuable keys that could fit into `sizeMax` tokens; list order among equals. */
export const wantedOf = (
  keys: Iterable<string>,
  worth: (key: string) => number,
  sizeMax: number,
): ReadonlySet<string> => {
  const ranked = [...keys].map((key) => ({ key, worth: worth(key) })).sort((a, b) => b.worth - a.worth);
  const count = Math.min(NAMES_MAX, Math.ceil(sizeMax / NAME_TOKENS));
  return new Set(ranked.slice(0, count).map(({ key }) => key));
};
