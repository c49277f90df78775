import ts from 'typescript';
import { place } from './project.js';

/** The one file that may access members by any name, since it checks for own members. */
const OWN_MEMBER = 'libs/kernel/src/json.ts';

/**
 * Returns the places in the product's code that use an arbitrary string as a member name: `record[name]`,
 * `record[name] = value`, `name in record` and `Object.assign` also access members of Object.prototype. Excludes
 * names that the types enumerate, array indexes and literals.
 * @param paths from the root of the project.
 */
export const namesAsKeys = (paths: readonly string[]): readonly string[] => {
  const config = ts.getParsedCommandLineOfConfigFile(place('tsconfig.json'), { types: ['node'] }, HOST);
  if (!config) throw new Error('tsconfig.json cannot be read');
  const program = ts.createProgram(paths.map(place), config.options);
  const checker = program.getTypeChecker();
  return paths.flatMap((path) => {
    const source = program.getSourceFile(place(path));
    if (!source || path === OWN_MEMBER) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (isNameAsKey(node, checker)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push(`${path}:${line + 1}: ${node.getText().replace(/\s+/g, ' ')}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
};

const HOST: ts.ParseConfigFileHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
};

const isNameAsKey = (node: ts.Node, checker: ts.TypeChecker): boolean => {
  if (ts.isElementAccessExpression(node))
    return isAnyString(checker.getTypeAtLocation(node.argumentExpression), checker);
  if (ts.isCallExpression(node) && node.expression.getText() === 'Object.assign')
    return node.arguments.some((given) => isNamedByOthers(checker.getTypeAtLocation(given), checker));
  const isIn = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword;
  return (
    isIn && !ts.isPrivateIdentifier(node.left) && isAnyString(checker.getTypeAtLocation(node.left), checker)
  );
};

/** Whether an object's type allows any member name. `Object.assign` sets each of them, `__proto__` by its setter. */
const isNamedByOthers = (type: ts.Type, checker: ts.TypeChecker): boolean =>
  type.isUnion()
    ? type.types.some((one) => isNamedByOthers(one, checker))
    : checker.getIndexInfoOfType(type, ts.IndexKind.String) !== undefined;

const ANY_STRING =
  ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping | ts.TypeFlags.Any;

const isAnyString = (type: ts.Type, checker: ts.TypeChecker): boolean => {
  if (type.isUnion()) return type.types.some((one) => isAnyString(one, checker));
  if (type.isIntersection()) return type.types.every((one) => isAnyString(one, checker));
  if ((type.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Index)) === 0)
    return (type.flags & ANY_STRING) !== 0;
  const constraint = checker.getBaseConstraintOfType(type);
  return constraint === undefined || isAnyString(constraint, checker);
};
