import { describe, expect, it } from '@jest/globals';
import { linesOf, textOf } from './support/project.js';

const FOLDER = 'libs/framework-adapters';
const { exports }: { exports: object } = JSON.parse(textOf(`${FOLDER}/package.json`));
const NAMES = Object.keys(exports).flatMap((entry) => /^\.\/([\w-]+)$/.exec(entry)?.[1] ?? []);

/** Returns the module of an adapter and the conversions of its messages. `core` is common to all adapters. */
const modulesOf = (path: string): readonly string[] => {
  const conversions = [...textOf(path).matchAll(/from '(?:\.|\.\.)\/(messages\/[\w-]+)\.js'/g)];
  return [path, ...conversions.flatMap(([, name]) => modulesOf(`${FOLDER}/src/${name}.ts`))];
};

/** Returns the lines of code: neither blank nor comments, nor imports, since code that moves to `core` adds imports. */
const codeIn = (text: string): readonly string[] =>
  linesOf(text.replace(/^import [^;]*;$|^ *\/\*\*[\s\S]*?\*\/$|^ *\/\/.*$/gm, '')).filter(
    (line) => line.trim() !== '',
  );

describe.each(NAMES)('adapter of %s', (name) => {
  it('has at most 150 lines of code of its own, with the conversion of its messages', () => {
    const code = modulesOf(`${FOLDER}/src/${name}.ts`).flatMap((path) => codeIn(textOf(path)));
    expect(code.length).toBeLessThanOrEqual(150);
  });

  it('has an example of at most 40 lines', () => {
    const example = textOf(`samples/adapters/${name}.ts`);
    expect(example).toContain(`from '@palimpsest/adapters/${name}'`);
    expect(linesOf(example).length).toBeLessThanOrEqual(40);
  });

  it("has a section in the package's page that begins with the change of a user's program", () => {
    const begins = textOf(`${FOLDER}/README.md`)
      .split(/^## .*\n+/m)
      .map((section) => /^```diff\n([\s\S]*?)\n```/.exec(section)?.[1] ?? '');
    expect(begins).toContainEqual(
      expect.stringContaining(`+import { palimpsest } from '@palimpsest/adapters/${name}';`),
    );
  });
});
