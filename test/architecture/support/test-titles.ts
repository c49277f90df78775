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

/** A part that is put in when the file runs is written as `each` would have it. */
const textIn = (title: ts.Expression): readonly string[] => {
  if (ts.isStringLiteralLike(title)) return [title.text];
  if (!ts.isTemplateExpression(title)) return [];
  return [title.templateSpans.reduce((text, { literal }) => `${text}%s${literal.text}`, title.head.text)];
};

/** What `each` puts in its place, case by case. */
const PLACEHOLDER = /%[sdijopf]|\$\w+/;

/** Whether `quoted` is a title of `titles`, a case of one that is a template, or whole words from its beginning. */
export const isTitleOf = (quoted: string, titles: readonly string[]): boolean =>
  titles.some((title) => isBeginningOf(quoted, title) || isCaseOf(quoted, title));

const isBeginningOf = (quoted: string, title: string): boolean =>
  title.startsWith(quoted) && !/^[\p{L}\p{N}]/u.test(title.slice(quoted.length));

const isCaseOf = (quoted: string, template: string): boolean => {
  const parts = template.split(PLACEHOLDER).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return parts.length > 1 && new RegExp(`^${parts.join('.+')}$`, 'u').test(quoted);
};
