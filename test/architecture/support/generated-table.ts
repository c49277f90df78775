import { writeFile } from 'node:fs/promises';
import { tableText } from '../../support/testing/table.js';
import { place, textOf } from './project.js';

const END = '\n<!-- End of the generated table. -->';

/** A page with its current and its expected text. */
export type GeneratedPage = { readonly text: string; readonly expected: string };

/**
 * Compares the generated table of a page with `rows`, the first of which is the header. If the environment variable
 * `variable` is set, it updates the page first.
 */
export const generatedTable = async (
  page: string,
  { variable, spec, rows }: { variable: string; spec: string; rows: readonly (readonly string[])[] },
): Promise<GeneratedPage> => {
  const mark = `<!-- Generated table: \`${variable}=1 npm test -- ${spec}\` writes it. -->\n\n`;
  const [before = '', generated = ''] = textOf(page).split(mark);
  const expected = `${before}${mark}${tableText(rows)}\n${generated.slice(generated.indexOf(END))}`;
  if (process.env[variable] === '1') await writeFile(place(page), expected);
  return { text: textOf(page), expected };
};
