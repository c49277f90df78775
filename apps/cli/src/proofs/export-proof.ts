import type { SessionRef } from '@app/application';
import type { GlobalOptions } from '../options.js';
import { note, printText } from '../output/print.js';
import { countText } from '../output/value-text.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';
import { writeParts } from './write-parts.js';

type Options = GlobalOptions & {
  readonly output?: string;
  readonly sealed?: boolean;
  readonly since?: number;
};

/** `palimpsest export SESSION --proof`: to a file, or to stdout. */
export const exportProof = (ref: SessionRef, options: Options): Promise<void> =>
  withService(options, async (service) => {
    const { output } = options;
    if (output === undefined) {
      for await (const part of partsOf(service, ref, options)) await printText(part);
      return;
    }
    const bytes = await writeParts(output, partsOf(service, ref, options));
    note(`${output}: ${countText(bytes, 'byte')}; verify it with \`palimpsest verify ${output}\``);
  });

const partsOf = (service: Service, ref: SessionRef, { sealed, since }: Options): AsyncIterable<string> =>
  service.proof(ref, { content: sealed ? 'sealed' : 'clear', ...(since !== undefined && { since }) });
