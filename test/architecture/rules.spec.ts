import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { holdingTestsIn } from './support/held-rules.js';
import { filesUnder, place, textOf } from './support/project.js';
import { type NamedTest, rulesIn, strayRowsIn, withTests } from './support/rule-table.js';

const PAGE = 'docs/rules.md';
const CASES = 36;
const INVARIANTS = 10;
const text = textOf(PAGE);
const rules = rulesIn(text);
const sections = [...new Set(rules.map(({ section }) => section))];
const numbersOf = (section: string): readonly number[] =>
  rules.filter((rule) => rule.section === section).map(({ number }) => number);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

/** The service suite runs in a spec per deployment. */
const isTestFile = (path: string): boolean =>
  path.endsWith('.spec.ts') || (path.startsWith('test/service/suite/') && path.endsWith('.ts'));
const testsByRule = new Map<string, NamedTest[]>();
for (const file of ['apps', 'libs', 'test'].flatMap(filesUnder).filter(isTestFile)) {
  for (const { title, rules: held } of holdingTestsIn(textOf(file))) {
    for (const rule of held) testsByRule.set(rule, [...(testsByRule.get(rule) ?? []), { file, title }]);
  }
}
const testsOf = (rule: string): readonly NamedTest[] => testsByRule.get(rule) ?? [];

/** Guarantee: a running test covers every rule of the page. */
describe('page of rules', () => {
  it('has every section, case and invariant, numbered without a gap', () => {
    expect(sections).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', 'cases']);
    for (const section of sections) expect(numbersOf(section)).toEqual(upTo(numbersOf(section).length));
    expect(numbersOf('8')).toEqual(upTo(INVARIANTS));
    expect(numbersOf('cases')).toEqual(upTo(CASES));
  });

  it('has only rows of rules, each of at least three words', () => {
    expect(strayRowsIn(text)).toEqual([]);
    expect(rules.filter(({ says }) => says.split(' ').length < 3)).toEqual([]);
  });

  it('states each rule once', () => {
    const said = rules.map(({ says }) => says);
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([]);
  });

  it('has a test for every rule', () => {
    expect(rules.map(({ name }) => name).filter((name) => testsOf(name).length === 0)).toEqual([]);
  });

  it('has every rule that a test names', () => {
    const names = new Set(rules.map(({ name }) => name));
    expect([...testsByRule.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  it('has tests over HTTP with the provider’s client for failures and the gateway', () => {
    const overHttp = /^test\/(?:contract\/summarizers|gateway|api\/gateway)\//;
    const others = rules
      .filter(({ section }) => section === '9' || section === '10')
      .flatMap(({ name }) => testsOf(name).filter(({ file }) => !overHttp.test(file)));
    expect(others).toEqual([]);
  });

  // `UPDATE_RULES_PAGE=1` regenerates the column.
  it('lists for each rule the tests that name it', async () => {
    const page = withTests(text, PAGE, testsOf);
    if (process.env.UPDATE_RULES_PAGE === '1') await writeFile(place(PAGE), page);
    expect(textOf(PAGE)).toBe(page);
  });
});

describe('rules of a test file', () => {
  it('are collected from comments and titles of its tests', () => {
    const source = [
      '// Holds rule 1.2.',
      "describe('a thing', () => {",
      "  it('is good', () => {});",
      '  /** About it. */',
      '  // Holds rules 5.17, 8.2; cases 3, 4.',
      "  it.each([['x']])('goes by %s', () => {});",
      '  // Holds rule 1.3.',
      "  it.skip('is passed over', () => {});",
      '  // Holds rule 1.4.',
      `  it(\`counts \${N} things\`, () => {});`,
      "  it('case 5: is named', () => {});",
      '  // Holds case 6.',
      "  (isWanted ? describe : describe.skip)('a recorded thing', () => {});",
      '  // Holds rule 1.5.',
      "  expect('no title').toBe(it);",
      '});',
    ].join('\n');
    expect(holdingTestsIn(source)).toEqual([
      { title: 'a thing', rules: ['1.2'] },
      { title: 'goes by %s', rules: ['5.17', '8.2', 'case 3', 'case 4'] },
      { title: 'counts %s things', rules: ['1.4'] },
      { title: 'case 5: is named', rules: ['case 5'] },
      { title: 'a recorded thing', rules: ['case 6'] },
    ]);
  });
});
