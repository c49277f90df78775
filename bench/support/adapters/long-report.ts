/** Pages that fill a context, after which all are short. */
const { LONG_PAGES = '0', LAST_PAGE = '0' } = process.env;
const LIMITS: ReadonlySet<number> = new Set([Number(LONG_PAGES) + 1, Number(LAST_PAGE)]);

/**
 * Returns a page of the report that the samples read: some 5,000 characters, or a line. The first and the last short page write
 * the processor time of the agent's process to standard error, in microseconds.
 */
export const readPage = (page: number): string => {
  const { user, system } = process.cpuUsage();
  if (LIMITS.has(page)) process.stderr.write(`\nprocessor time ${user + system}\n`);
  return Array.from(
    { length: page <= Number(LONG_PAGES) ? 60 : 1 },
    (_, line) =>
      `Page ${page}, line ${line + 1}: station ${page * 100 + line} measured ${(page * line) % 97} units of rain and no fault.`,
  ).join('\n');
};
