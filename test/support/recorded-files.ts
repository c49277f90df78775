import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts');
const KINDS = ['claude-code', 'pi', 'anthropic-messages', 'openai-messages'];

/** The recorded transcripts that the product reads, by path; none where they are absent. */
export const RECORDED_FILES: readonly string[] = KINDS.flatMap((kind) => {
  const folder = join(FOLDER, kind);
  return existsSync(folder)
    ? readdirSync(folder)
        .sort()
        .map((file) => join(folder, file))
    : [];
});
