import { dirname, join } from 'node:path';
import { textOf } from './support/project.js';

/** Returns the files of a built program that are read before its first line runs. */
const readFirst = (path: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, name = ''] of textOf(path).matchAll(/(?:\bfrom|\bimport)"(\.[^"]+\.js)"/g))
    readFirst(join(dirname(path), name), found);
  return found;
};

const librariesOf = (path: string): readonly string[] => {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(textOf(`${path}.map`));
  return sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
};

it('starts a command without the engine, its container, its servers’ clients and schemas', () => {
  const libraries = new Set([...readFirst('dist/programs/palimpsest.js')].flatMap(librariesOf));
  expect(libraries).toContain('commander');
  expect(
    [...libraries].filter((name) => /^(@nestjs\/|@grpc\/|@eventstore\/|rxjs|zod|fastify|pg$)/.test(name)),
  ).toEqual([]);
});
