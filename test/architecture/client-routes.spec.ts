import { expect, it } from '@jest/globals';
import { filesUnder, textOf } from './support/project.js';

const sourcesOf = (folder: string): string =>
  filesUnder(folder)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map(textOf)
    .join('\n');

/** Returns a route without parameter names, which differ between the two sides. */
const route = (method = '', path = ''): string =>
  `${method} /${path.replace(/^\//, '').replace(/:\w+|\*|\$\{\w+\}/g, '{}')}`;

const served = [...sourcesOf('apps/api/src').matchAll(/@Endpoint\('([A-Z]+)', '(v1\/[^']*)'/g)].map(
  ([, method, path]) => route(method, path),
);
const client = sourcesOf('libs/client/src');
/** If a path is separate from its call, the method is that of the following call. */
const called = [
  ...[...client.matchAll(/'(GET|POST|PUT|PATCH|DELETE)',\s*path`([^`]*)`/g)].map(([, method, path]) =>
    route(method, path),
  ),
  ...[...client.matchAll(/const at = path`([^`]*)`;\s*return this\.http\.\w+\('([A-Z]+)', at/g)].map(
    ([, path, method]) => route(method, path),
  ),
];

it('finds the routes of the API', () => {
  expect(served).toContain('POST /v1/sessions/{}/messages');
});

it('covers every route of the API with a client method, and no other route', () => {
  expect([...new Set(called)].sort()).toEqual([...new Set(served)].sort());
});
