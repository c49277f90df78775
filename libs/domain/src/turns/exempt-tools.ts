/**
 * Returns whether a tool is one of `names`. Agents write the same tool in different cases (`Skill`, `skill`), so names
 * are compared without case.
 */
export const isToolAmong = (names: readonly string[]): ((tool: string) => boolean) => {
  if (names.length === 0) return () => false;
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (tool) => known.has(tool.toLowerCase());
};
