/**
 * UTF-16 units of the text in a value, names of fields included: about as many as its JSON has, for a walk that looks
 * into no text. It is for bounds on what is held in memory.
 */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + QUOTES;
  if (typeof value !== 'object' || value === null) return SCALAR;
  let weight = QUOTES;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item) + 1;
  else for (const [name, item] of Object.entries(value)) weight += name.length + weightOf(item) + FIELD;
  return weight;
};

/** Of a text, or the brackets of a list or an object. */
const QUOTES = 2;
/** Quotes, a colon and a comma around a field's name. */
const FIELD = 4;
/** Numbers are of any length; most are short. */
const SCALAR = 4;
