/** Pages that fill a context, after which all are short. */
const { LONG_PAGES = '0' } = process.env;

/** Returns a page of the report that the samples read: some 5,000 characters, or a line. */
export const readPage = (page: number): string =>
  Array.from(
    { length: page <= Number(LONG_PAGES) ? 60 : 1 },
    (_, line) =>
      `Page ${page}, line ${line + 1}: station ${page * 100 + line} measured ${(page * line) % 97} units of rain and no fault.`,
  ).join('\n');
