import { pathToFileURL } from 'node:url';
import type { SessionRef } from '@app/application';
import { PalimpsestClient } from '@app/client';
import type { AppConfig } from '@app/platform';
import { configFrom, type GlobalOptions } from '../options.js';
import { note } from '../output/print.js';
import { countText } from '../output/value-text.js';
import { projectRoot } from '../project-root.js';
import { answeredItems } from '../remote/remote-error.js';
import { remoteSettings } from '../remote/remote-settings.js';
import { writeParts } from './write-parts.js';

type Options = GlobalOptions & { readonly output?: string; readonly withContent?: boolean };

/** The program beside this one that runs the service for one export. */
type ExportPage = {
  readonly exportPage: (config: AppConfig, ref: SessionRef, content: 'none' | 'clear') => Promise<string>;
};

/** `palimpsest export SESSION --html`: to a file, by default one that is named after the session. */
export const exportHtml = async (ref: SessionRef, options: Options): Promise<void> => {
  const { output = `${ref.session.replaceAll(':', '_')}.html`, withContent } = options;
  const bytes = await writeParts(output, partsOf(ref, options));
  const held = withContent ? 'with content' : 'without content';
  note(`${output}: ${countText(bytes, 'byte')}, ${held}; open it in a browser, without a network`);
};

async function* partsOf(ref: SessionRef, options: Options): AsyncGenerator<string> {
  const content = options.withContent ? 'clear' : 'none';
  const remote = remoteSettings(options, process.env);
  if (remote) yield* answeredItems(new PalimpsestClient(remote).sessions.html(ref.session, { content }));
  else {
    const program: ExportPage = await import(pathToFileURL(projectRoot('dist/programs/export-page.js')).href);
    yield await program.exportPage(await configFrom(options), ref, content);
  }
}
