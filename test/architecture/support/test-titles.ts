import ts from 'typescript';

const NAMES = new Set(['describe', 'it']);

/** Titles of all `describe` and `it` of a test file, `each` ones included, as they are written. */
export const titlesIn = (source: string): readonly string[] => {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined;
    if (title) titles.push(...textIn(title));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('some.spec.ts', source, ts.ScriptTarget.Latest, true));
  return titles;
};

/** What is called: `it`, `it.each(…)`, or one of them by condition; not the table of an `each`. */
const isTest = (callee: ts.Expression): boolean => {
  if (ts.isIdentifier(callee)) return NAMES.has(callee.text);
  if (ts.isParenthesizedExpression(callee)) return isTest(callee.expression);
  if (ts.isConditionalExpression(callee)) return isTest(callee.whenTrue);
  if (!ts.isCallExpression(callee) || !ts.isPropertyAccessExpression(callee.expression)) return false;
  return callee.expression.name.text === 'each' && isTest(callee.expression.expression);
};

/** A title that is put together is known up to its first part that is not. */
const textIn = (title: ts.Expression): readonly string[] => {
  if (ts.isStringLiteralLike(title)) return [title.text];
  return ts.isTemplateExpression(title) ? [`${title.head.text}%s`] : [];
};

/** What `each` puts in its place, case by case. */
const PLACEHOLDER = /%[sdijopf]|\$\w+/;

/** Whether `quoted` is a title of `titles`, or whole words from its beginning; past a placeholder everything is. */
export const isTitleOf = (quoted: string, titles: readonly string[]): boolean =>
  titles.some((title) => {
    const [known = ''] = title.split(PLACEHOLDER);
    const isKnownPart = known.trim() !== '' && known !== title && quoted.startsWith(known);
    return isKnownPart || (title.startsWith(quoted) && !/^[\p{L}\p{N}]/u.test(title.slice(quoted.length)));
  });
