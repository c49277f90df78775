/** Returns a time as ISO 8601 in UTC; `undefined` if it is invalid. */
export const timeIn = (value: string | number | undefined): string | undefined => {
  if (value === undefined) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
};
