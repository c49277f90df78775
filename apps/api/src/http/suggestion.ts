import { nearestOf, truncate } from '@app/kernel';

/** Unknown fields of one object that an error names. */
export const NAMED_MAX = 5;
/** Known names up to which an error lists them all. */
const LISTED_MAX = 12;
/** Characters of an unknown name that an error quotes. */
const QUOTED_MAX = 64;

/**
 * Returns one line for each of the first {@link NAMED_MAX} unknown fields, with the nearest known field and, if there are at
 * most {@link LISTED_MAX}, all known fields; then one line with the number of the others.
 */
export const unknownFields = (unknown: readonly string[], known: readonly string[]): readonly string[] => {
  const listed = known.length > 0 && known.length <= LISTED_MAX ? `; known: ${known.join(', ')}` : '';
  const more = unknown.length - NAMED_MAX;
  return [
    ...unknown.slice(0, NAMED_MAX).map((name) => {
      const nearest = nearestOf(name, known);
      const suggestion = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
      return `unknown field "${truncate(name, QUOTED_MAX).replace(/\s/g, ' ')}"${suggestion}${listed}`;
    }),
    ...(more > 0 ? [`${more} more unknown ${more === 1 ? 'field' : 'fields'}`] : []),
  ];
};

/** Returns the problem with a value outside an enumeration, if a valid value is similar; `undefined` leaves the text to zod. */
export const unknownValue = (given: unknown, values: readonly unknown[]): string | undefined => {
  const words = values.map(String);
  const nearest = typeof given === 'string' ? nearestOf(given, words) : undefined;
  return nearest === undefined ? undefined : `give one of ${words.join(', ')} (did you mean "${nearest}"?)`;
};
