const WORD = /[\p{L}\p{N}]+/gu;

/** Every run of `length` words in `text`, in lower case with single blanks. */
export const runsOf = (text: string, length: number): ReadonlySet<string> => {
  const words = wordsOf(text);
  const runs = new Set<string>();
  for (let at = 0; at + length <= words.length; at += 1) runs.add(words.slice(at, at + length).join(' '));
  return runs;
};

/**
 * Returns a function that finds the members of `runs`, each of `length` words, that a text contains. Linear in the text,
 * for any number of runs.
 */
export const runFinder = (
  runs: ReadonlySet<string>,
  length: number,
): ((text: string) => ReadonlySet<string>) => {
  const beginnings = new Set([...runs].map((run) => run.slice(0, run.indexOf(' '))));
  return (text) => {
    const words = wordsOf(text);
    const found = new Set<string>();
    for (let at = 0; at + length <= words.length; at += 1) {
      if (!beginnings.has(words[at] ?? '')) continue;
      const run = words.slice(at, at + length).join(' ');
      if (runs.has(run)) found.add(run);
    }
    return found;
  };
};

const wordsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(WORD), ([word]) => word.toLowerCase());
