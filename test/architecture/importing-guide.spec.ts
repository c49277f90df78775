import { FORMATS } from '@app/formats';
import { expect, it } from '@jest/globals';
import { sectionsOf } from './support/markdown.js';
import { textOf } from './support/project.js';

it('lists every transcript format in the guide to importing', () => {
  const formats = sectionsOf(textOf('docs/guides/importing.md'), 2).find(
    ({ heading }) => heading === 'Formats',
  );
  const listed = [...(formats?.body ?? '').matchAll(/^- `([a-z-]+)`:/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(FORMATS.map(({ name }) => name).sort());
});
