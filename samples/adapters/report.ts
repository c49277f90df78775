/** Returns a page of a report: some 5,000 characters, as files and search results are long. */
export const readPage = (page: number): string =>
  Array.from(
    { length: 60 },
    (_, line) =>
      `Page ${page}, line ${line + 1}: station ${page * 100 + line} measured ${(page * line) % 97} units of rain and no fault.`,
  ).join('\n');
