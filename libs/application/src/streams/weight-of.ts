/** Estimates the UTF-16 units of a value's JSON without looking into strings, for memory limits. */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + QUOTES;
  if (typeof value !== 'object' || value === null) return SCALAR;
  let weight = QUOTES;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item) + 1;
  else for (const [name, item] of Object.entries(value)) weight += name.length + weightOf(item) + FIELD;
  return weight;
};

/** Quotes of a string, or brackets of an array or object. */
const QUOTES = 2;
/** Quotes, a colon and a comma around a field's name. */
const FIELD = 4;
/** Numbers, booleans and `null`; most are short. */
const SCALAR = 4;
