import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const KINDS = ['claude-code', 'pi', 'anthropic-messages', 'openai-messages'];

/** Paths of the recorded transcripts that the product reads; none if they are missing. */
export const RECORDED_FILES: readonly string[] = KINDS.flatMap((kind) => {
  const folder = join(FOLDER, kind);
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((file) => join(folder, file))
    : [];
});
