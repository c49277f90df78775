import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { filesUnder, place, textOf } from './support/project.js';
import { type NamedTest, type Rule, rulesIn, strayRowsIn } from './support/rule-table.js';
import { isTitleOf, titlesIn } from './support/test-titles.js';

const PAGE = 'docs/rules.md';
const CASES = 36;
const INVARIANTS = 10;
const text = textOf(PAGE);
const rules = rulesIn(text, PAGE);
const sections = [...new Set(rules.map(({ section }) => section))];
const numbersOf = (section: string): readonly number[] =>
  rules.filter((rule) => rule.section === section).map(({ number }) => number);
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);
const nameOf = ({ section, number }: Rule): string =>
  section === 'cases' ? `case ${number}` : `${section}.${number}`;

const titles = new Map<string, readonly string[]>();
const titlesOf = (file: string): readonly string[] => {
  const known = titles.get(file) ?? titlesIn(textOf(file));
  titles.set(file, known);
  return known;
};
const faultOf = ({ file, title }: NamedTest): readonly string[] => {
  // The suite of the service runs in a spec for each deployment.
  const isTest = file.endsWith('.spec.ts') || file.startsWith('test/service/suite/');
  if (!isTest || !existsSync(place(file))) return [`no test file ${file}`];
  return isTitleOf(title, titlesOf(file)) ? [] : [`no test “${title}” in ${file}`];
};

/** Guarantee: no rule of compaction stands on the page without a test that is there. */
describe('the table of rules', () => {
  it('has every section, case and invariant, numbered without a gap', () => {
    expect(sections).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', 'cases']);
    for (const section of sections) expect(numbersOf(section)).toEqual(upTo(numbersOf(section).length));
    expect(numbersOf('8')).toEqual(upTo(INVARIANTS));
    expect(numbersOf('cases')).toEqual(upTo(CASES));
  });

  it('has rows of rules alone, each of which says something', () => {
    expect(strayRowsIn(text)).toEqual([]);
    expect(rules.filter(({ says }) => says.split(' ').length < 3)).toEqual([]);
  });

  it('names a test for every rule', () => {
    expect(rules.filter(({ tests }) => tests.length === 0).map(nameOf)).toEqual([]);
  });

  it('names for failures, and for the gateway, tests that speak HTTP by a client of the provider’s', () => {
    const overHttp = /^test\/(?:contract\/summarizers|gateway|api\/gateway)\//;
    const others = rules
      .filter(({ section }) => section === '9' || section === '10')
      .flatMap((rule) => rule.tests.filter(({ file }) => !overHttp.test(file)).map(() => nameOf(rule)));
    expect(others).toEqual([]);
  });

  it('names tests that are there', () => {
    const faults = rules.flatMap((rule) =>
      rule.tests.flatMap(faultOf).map((fault) => `${nameOf(rule)}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('says each rule once', () => {
    const said = rules.map(({ says }) => says);
    expect(said.filter((one, at) => said.indexOf(one) !== at)).toEqual([]);
  });

  it('has every case that a test is named after, in its row', () => {
    const specs = ['libs', 'test'].flatMap(filesUnder).filter((path) => path.endsWith('.spec.ts'));
    const missing = specs.flatMap((file) =>
      titlesOf(file).flatMap((title) => {
        const number = /^case (\d+):/.exec(title)?.[1];
        if (number === undefined) return [];
        const row = rules.find((rule) => rule.section === 'cases' && rule.number === Number(number));
        const isNamed = row?.tests.some((test) => test.file === file && isTitleOf(test.title, [title]));
        return isNamed ? [] : [`${file}: ${title}`];
      }),
    );
    expect(missing).toEqual([]);
  });
});

/** The table is as good as what reads the tests. */
describe('the titles of a test file', () => {
  const source = [
    "describe('a thing', () => {",
    "  it('is good', () => {});",
    "  it.each([['x']])('goes by %s, always', () => {});",
    "  it.skip('is passed over', () => {});",
    `  it(\`counts \${N} things\`, () => {});`,
    "  (isWanted ? describe : describe.skip)('a recorded thing', () => {});",
    "  expect('no title').toBe(it);",
    '});',
  ].join('\n');

  it('are those of tests that run', () => {
    expect(titlesIn(source)).toEqual([
      'a thing',
      'is good',
      'goes by %s, always',
      'counts %s things',
      'a recorded thing',
    ]);
  });

  it.each([
    ['is good', true],
    ['goes by', true],
    ['goes by air, always', true],
    ['goes by air, at times', false],
    ['is goo', false],
    ['is better', false],
  ])('have one that “%s” stands for: %s', (quoted, isThere) => {
    expect(isTitleOf(quoted, titlesIn(source))).toBe(isThere);
  });
});
