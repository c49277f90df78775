import ts from 'typescript';

/** The lines at which functions begin that have more than `max` lines. */
export const longestFunctionsIn = (source: string, max: number): readonly number[] => {
  const file = ts.createSourceFile('some.ts', source, ts.ScriptTarget.Latest, true);
  const lineOf = (place: number): number => file.getLineAndCharacterOfPosition(place).line + 1;
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    const [first, last] = [lineOf(node.getStart()), lineOf(node.end)];
    if (ts.isFunctionLike(node) && last - first + 1 > max) found.push(first);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};
