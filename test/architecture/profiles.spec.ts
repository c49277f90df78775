import { PROFILES } from '@app/domain';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { generatedTable } from './support/generated-table.js';
import { filesUnder, textOf } from './support/project.js';

const FOLDER = 'libs/domain/src/profiles';
const NAMES = new Set(PROFILES.map(({ name }) => name));
/** The module that looks profiles up by name. */
const LOOKUP = `${FOLDER}/index.ts`;
const sources = ['apps', 'libs']
  .flatMap(filesUnder)
  .filter((path) => /(?<!\.spec)\.ts$/.test(path) && path !== LOOKUP);

const nodesIn = (path: string): readonly ts.Node[] => {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, textOf(path), ts.ScriptTarget.Latest, true));
  return nodes;
};

const isProfileName = (node: ts.Node): boolean => ts.isStringLiteral(node) && NAMES.has(node.text);
/** Whether the node is `x === 'core'` or `case 'core':`. */
const asksForName = (node: ts.Node): boolean =>
  (ts.isBinaryExpression(node) && [node.left, node.right].some(isProfileName)) ||
  (ts.isCaseClause(node) && isProfileName(node.expression));

/** Guarantee: behaviour depends only on the fields of a profile, so that every field can be overridden. */
describe('profiles', () => {
  it('are listed in the guide to compaction, with their descriptions', async () => {
    const { text, expected } = await generatedTable('docs/guides/compaction.md', {
      variable: 'UPDATE_PROFILES_TABLE',
      spec: 'architecture/profiles',
      rows: [
        ['profile', 'compacts'],
        ...PROFILES.map(({ name, description }) => [`\`${name}\``, description]),
      ],
    });
    expect(text).toBe(expected);
  });

  // Holds rule 7.5.
  it('are read by their fields only, never compared by name', () => {
    // Both words have another meaning too: a mode of the budget, and a property of summarizers.
    const others = new Set(['authorized', 'deterministic']);
    const asking = sources.filter((path) =>
      nodesIn(path).some(
        (node) => asksForName(node) && ![...others].some((word) => node.getText().includes(word)),
      ),
    );
    expect(asking).toEqual([]);
    const named = sources.filter((path) =>
      /profile\.name\s*[!=]==?|[!=]==?\s*[\w.]*profile\.name/.test(textOf(path)),
    );
    expect(named).toEqual([]);
  });

  // Holds rule 7.5.
  it('are data, not code', () => {
    const nodes = ['core.ts', 'shipped.ts'].flatMap((file) => nodesIn(`${FOLDER}/${file}`));
    const named = nodes.filter(
      (node) =>
        ts.isPropertyAssignment(node) && node.name.getText() === 'name' && isProfileName(node.initializer),
    );
    expect(named).toHaveLength(NAMES.size);
    const code = nodes.filter(
      (node) =>
        ts.isFunctionLike(node) ||
        ts.isCallExpression(node) ||
        ts.isConditionalExpression(node) ||
        ts.isIfStatement(node),
    );
    expect(code).toHaveLength(0);
  });
});
