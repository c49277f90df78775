import ts from 'typescript';

/** A test with its rules, such as `5.17` or `case 3`. */
export type HoldingTest = { readonly title: string; readonly rules: readonly string[] };

const NAMES = new Set(['describe', 'it']);

/**
 * Returns the tests of a file that cover rules, in order. A comment above `describe` or `it` names them (`// Holds
 * rules 5.17, 8.2; case 3.`), or a title that begins with `case 3:`.
 */
export const holdingTestsIn = (source: string): readonly HoldingTest[] => {
  const tests: HoldingTest[] = [];
  const visit = (node: ts.Node, comments: readonly string[]): void => {
    const above = ts.isExpressionStatement(node) ? commentsAbove(source, node) : comments;
    const title =
      ts.isCallExpression(node) && isTest(node.expression) ? titleIn(node.arguments[0]) : undefined;
    const rules = title === undefined ? [] : [...new Set([...caseIn(title), ...above.flatMap(rulesIn)])];
    if (title !== undefined && rules.length > 0) tests.push({ title, rules });
    ts.forEachChild(node, (child) => visit(child, title === undefined ? above : []));
  };
  visit(ts.createSourceFile('some.spec.ts', source, ts.ScriptTarget.Latest, true), []);
  return tests;
};

const commentsAbove = (source: string, node: ts.Node): readonly string[] =>
  (ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []).map(({ pos, end }) =>
    source.slice(pos, end),
  );

/** Whether `callee` is `it`, `it.each(…)`, or a conditional between one of them and its `skip`. */
const isTest = (callee: ts.Expression): boolean => {
  if (ts.isIdentifier(callee)) return NAMES.has(callee.text);
  if (ts.isParenthesizedExpression(callee)) return isTest(callee.expression);
  if (ts.isConditionalExpression(callee)) return isTest(callee.whenTrue);
  if (!ts.isCallExpression(callee) || !ts.isPropertyAccessExpression(callee.expression)) return false;
  return callee.expression.name.text === 'each' && isTest(callee.expression.expression);
};

/** Returns the title as written, with `%s` for expressions. */
const titleIn = (title: ts.Expression | undefined): string | undefined => {
  if (title === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return title.text;
  if (!ts.isTemplateExpression(title)) return undefined;
  return title.templateSpans.reduce((text, { literal }) => `${text}%s${literal.text}`, title.head.text);
};

const caseIn = (title: string): readonly string[] => {
  const number = /^case (\d+):/.exec(title)?.[1];
  return number === undefined ? [] : [`case ${number}`];
};

const rulesIn = (comment: string): readonly string[] => {
  const held = /^\/\/ Holds (.+)\.$/.exec(comment)?.[1] ?? '';
  return [...held.matchAll(/(rule|case)s? ([\d., ]+)/g)].flatMap(([, kind, numbers = '']) =>
    numbers.split(', ').map((number) => (kind === 'case' ? `case ${number}` : number)),
  );
};
