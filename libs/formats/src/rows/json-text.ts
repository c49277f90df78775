/** One line; positions in the log are larger than JSON's numbers, and become strings. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? member.toString() : member));
