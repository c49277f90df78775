/** Labels on one line, in the order of their names; a dash for none. */
export const labelsText = (labels: Readonly<Record<string, string>>): string => {
  const all = Object.entries(labels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`);
  return all.length === 0 ? '–' : all.join(', ');
};
