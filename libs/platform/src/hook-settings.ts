import { z } from 'zod';
import { whole } from './process-settings.js';

const URL_FAULT = 'give http://HOST/PATH or https://HOST/PATH, without a user in it';
const SECRET_FAULT = 'give whsec_ and at least 24 bytes as base64';

/** Secret that signs HTTP hook calls. */
export const hookSecret = z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, SECRET_FAULT);

/** HTTP hook that is called before and after compactions. */
export const hookSettings = {
  PALIMPSEST_HOOK_URL: z
    .url({ protocol: /^https?$/, error: URL_FAULT })
    .refine((url) => new URL(url).username === '', URL_FAULT)
    .optional(),
  /** Exactly one of the two is required with a hook. */
  PALIMPSEST_HOOK_SECRET: hookSecret.optional(),
  PALIMPSEST_HOOK_SECRET_FILE: z.string().min(1).optional(),
  /** Milliseconds for one call. */
  PALIMPSEST_HOOK_TIMEOUT_MS: whole('milliseconds', 1, 600_000).default(10_000),
  /** Whether a compaction continues (`open`) or fails (`closed`) if the hook fails. */
  PALIMPSEST_HOOK_ON_FAILURE: z.enum(['open', 'closed'], { error: 'give open or closed' }).default('open'),
  /** Whether messages and summaries are sent in addition to the facts. */
  PALIMPSEST_HOOK_CONTENT: z.enum(['none', 'full'], { error: 'give none or full' }).default('none'),
};

type Given = {
  readonly PALIMPSEST_HOOK_URL?: string | undefined;
  readonly PALIMPSEST_HOOK_SECRET?: string | undefined;
  readonly PALIMPSEST_HOOK_SECRET_FILE?: string | undefined;
};

/** Requires exactly one secret: without one, receivers could not authenticate calls; two would be ambiguous. */
export const requireHookSecret = (given: Given, context: z.RefinementCtx): void => {
  const secrets = [given.PALIMPSEST_HOOK_SECRET, given.PALIMPSEST_HOOK_SECRET_FILE].filter(Boolean).length;
  if (given.PALIMPSEST_HOOK_URL === undefined || secrets === 1) return;
  const message = 'give it, or PALIMPSEST_HOOK_SECRET_FILE: one of the two, where there is a hook';
  context.addIssue({ code: 'custom', path: ['PALIMPSEST_HOOK_SECRET'], message });
};
