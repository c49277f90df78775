/** The required sections of a summary, in order: the headings that the prompt requests. */
export const REQUIRED_SECTIONS = ['Goal', 'State'] as const;

const HEADING = /^#{1,6}\s+(.*)$/;

/** The text of a heading; `undefined` for any other line. */
const headingOf = (line: string): string | undefined => HEADING.exec(line)?.[1];

/** The first of the required sections that does not come after the one before it. */
export const missingSection = (text: string): string | undefined => {
  const headings = text.split('\n').flatMap((line) => headingOf(line) ?? []);
  let from = 0;
  return REQUIRED_SECTIONS.find((section) => {
    const at = headings.findIndex((heading, place) => place >= from && isOf(heading, section));
    from = at + 1;
    return at < 0;
  });
};

/** The required section that a line is the heading of. */
export const requiredHeading = (line: string): string | undefined => {
  const heading = headingOf(line);
  return heading === undefined ? undefined : REQUIRED_SECTIONS.find((section) => isOf(heading, section));
};

/** Whether a heading begins with the section's name, as a word. */
const isOf = (heading: string, section: string): boolean =>
  heading.startsWith(section) && !/^\p{L}/u.test(heading.slice(section.length));
