import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { installed } from '@app/ports';
import { Marked } from 'marked';

const INDEX = 'README';
const markdown = new Marked({ gfm: true });

/** Serves the Markdown pages of `docs/errors` as HTML: one for each error code, and an index. */
export class ErrorPages {
  readonly #made = new Map<string, string>();

  private constructor(private readonly sources: ReadonlyMap<string, string>) {}

  static async read(): Promise<ErrorPages> {
    const folder = installed('docs/errors');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
    const read = async (name: string) =>
      [name.slice(0, -'.md'.length), await readFile(join(folder, name), 'utf8')] as const;
    return new ErrorPages(new Map(await Promise.all(names.map(read))));
  }

  /**
   * Returns the page of a code; the index without one.
   *
   * @throws {AppError} `route-not-found` for an unknown code.
   */
  async page(code = INDEX): Promise<string> {
    const known = this.#made.get(code);
    if (known !== undefined) return known;
    const source = this.sources.get(code);
    if (source === undefined)
      throw new AppError('route-not-found', 'unknown error code: see /errors for all codes');
    const page = framed(code, await markdown.parse(withRoutes(source)));
    this.#made.set(code, page);
    return page;
  }
}

/** Rewrites links between the files as links between the pages; links to other folders become plain text. */
const withRoutes = (source: string): string =>
  source
    .replace(/\]\(README\.md\)/g, '](/errors)')
    .replace(/\]\(([a-z-]+)\.md\)/g, '](/errors/$1)')
    .replace(/\[([^\]]+)\]\(\.\.[^)]*\)/g, '$1');

const framed = (code: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${code === INDEX ? 'Errors' : code} · Palimpsest</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
pre, code { font-family: ui-monospace, monospace; font-size: 0.9em; background: #f3f3f1 }
pre { padding: 0.8rem; overflow-x: auto } code { padding: 0 0.2em } pre code { padding: 0 }
table { border-collapse: collapse } td, th { padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1a } pre, code { background: #2a2a28 } a { color: #9bc1ff } }
</style>
</head>
<body>
${body}${code === INDEX ? '' : '<p><a href="/errors">All errors</a></p>\n'}</body>
</html>
`;
