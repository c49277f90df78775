import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { filesUnder, place, textOf } from './support/project.js';

type Project = {
  readonly type: string;
  readonly root: string;
  readonly entryFile: string;
  readonly sourceRoot: string;
};
type NestCli = {
  readonly compilerOptions: {
    readonly builder: {
      readonly options: { readonly filenames: readonly string[]; readonly swcrcPath: string };
    };
  };
  readonly projects: Readonly<Record<string, Project>>;
};

const { compilerOptions, projects }: NestCli = JSON.parse(textOf('nest-cli.json'));
const entryOf = ({ sourceRoot, entryFile }: Project): string => `${sourceRoot}/${entryFile}.ts`;

/** Apps start at `src/main.ts`, libraries at `src/index.ts`; adapters are one folder deeper. */
const ENTRY = /^(?:apps\/[^/]+\/src\/main|libs\/(?:adapters\/)?[^/]+\/src\/index)\.ts$/;

describe('nest-cli.json', () => {
  it('lists exactly the apps and libraries, each with its entry file', () => {
    const entries = ['apps', 'libs'].flatMap(filesUnder).filter((path) => ENTRY.test(path));
    expect(Object.values(projects).map(entryOf).sort()).toEqual([...entries].sort());
  });

  it('names each project after its folder', () => {
    for (const [name, { type, root, sourceRoot }] of Object.entries(projects))
      expect({ name, type, sourceRoot }).toEqual({
        name: root.slice(root.lastIndexOf('/') + 1),
        type: root.startsWith('apps/') ? 'application' : 'library',
        sourceRoot: `${root}/src`,
      });
  });

  it('compiles the folders of all projects, with existing settings', () => {
    const { filenames, swcrcPath } = compilerOptions.builder.options;
    expect(existsSync(place(swcrcPath))).toBe(true);
    for (const { root } of Object.values(projects)) expect(filenames).toContain(root.split('/')[0]);
  });

  it('compiles as `npm run build` does', () => {
    const { jsc } = JSON.parse(textOf('.swcrc'));
    expect(JSON.parse(textOf(compilerOptions.builder.options.swcrcPath)).jsc).toMatchObject({
      target: jsc.target,
      transform: jsc.transform,
    });
  });
});
