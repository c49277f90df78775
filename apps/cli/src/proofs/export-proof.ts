import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { SessionRef } from '@app/application';
import { AppError } from '@app/kernel';
import type { GlobalOptions } from '../options.js';
import { note, printText } from '../output/print.js';
import { countText } from '../output/value-text.js';
import type { Service } from '../service/service.js';
import { withService } from '../session-run.js';

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
    const bytes = await writeProof(service, ref, { ...options, output });
    note(`${output}: ${countText(bytes, 'byte')}; verify it with \`palimpsest verify ${output}\``);
  });

const partsOf = (service: Service, ref: SessionRef, { sealed, since }: Options): AsyncIterable<string> =>
  service.proof(ref, { content: sealed ? 'sealed' : 'clear', ...(since !== undefined && { since }) });

/**
 * Writes a proof bundle; a file of that name is replaced once the new one is complete. Returns its size in bytes.
 *
 * @throws {AppError} `unwritable-file`, and what the service refuses.
 */
const writeProof = async (
  service: Service,
  ref: SessionRef,
  options: Options & { readonly output: string },
): Promise<number> => {
  const { output } = options;
  const draft = `${output}.${randomUUID().slice(0, 8)}`;
  const file = await open(draft, 'wx').catch((cause: unknown) => {
    throw new AppError(
      'unwritable-file',
      `${output} cannot be written: give a file in a folder that exists`,
      {
        cause,
      },
    );
  });
  let bytes = 0;
  try {
    for await (const part of partsOf(service, ref, options)) {
      const text = Buffer.from(part);
      bytes += text.length;
      await file.writeFile(text);
    }
    await file.close();
    await rename(draft, output);
    return bytes;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
};
