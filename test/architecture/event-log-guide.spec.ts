import { writeFile } from 'node:fs/promises';
import { sessionEventTypes } from '@app/domain';
import { expect, it } from '@jest/globals';
import { tableText } from '../support/testing/table.js';
import { filesUnder, place, textOf } from './support/project.js';

const PAGE = 'docs/guides/event-log.md';
const START = '<!-- Generated table: `UPDATE_EVENT_TYPES=1 npm test -- event-log-guide` writes it. -->\n\n';
const END = '\n\n<!-- End of the generated table. -->';

/** Doc comments of the events, which are members of a type: `/** … *\/ Name: …`. */
const DECLARATION = /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}([A-Z]\w+):/gm;

const firstSentence = (comment = ''): string => {
  const text = comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim();
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
};

const declared = filesUnder('libs/domain/src/session/recorded')
  .flatMap((path) => [...textOf(path).matchAll(DECLARATION)])
  .map(([, comment, type = '']) => [`\`${type}\``, firstSentence(comment)])
  .sort(([one = ''], [other = '']) => (one < other ? -1 : 1));

it('describes every type of event in its doc comment', () => {
  expect(declared.map(([type]) => type)).toEqual(
    [...sessionEventTypes()].sort().map((type) => `\`${type}\``),
  );
});

it('lists the types of events with the first sentence of their doc comments', async () => {
  const text = textOf(PAGE);
  const table = tableText([['event', 'meaning'], ...declared]);
  const [before = '', rest = ''] = text.split(START);
  expect(rest).toContain(END);
  const page = `${before}${START}${table}${rest.slice(rest.indexOf(END))}`;
  if (process.env.UPDATE_EVENT_TYPES === '1') await writeFile(place(PAGE), page);
  expect(textOf(PAGE)).toBe(page);
});
