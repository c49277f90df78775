import { z } from 'zod';

/** What secrets are sealed with in the database; one of the two at most. */
export const secretSettings = {
  PALIMPSEST_SECRETS_KEY: z.string().optional(),
  PALIMPSEST_SECRETS_KEY_FILE: z.string().optional(),
};

type Given = {
  readonly PALIMPSEST_SECRETS_KEY?: string | undefined;
  readonly PALIMPSEST_SECRETS_KEY_FILE?: string | undefined;
};

/** With both, nobody could say which one counts. */
export const requireOneOfSecretKeys = (given: Given, context: z.RefinementCtx): void => {
  if (given.PALIMPSEST_SECRETS_KEY === undefined || given.PALIMPSEST_SECRETS_KEY_FILE === undefined) return;
  const message = 'give it, or PALIMPSEST_SECRETS_KEY_FILE, not both';
  context.addIssue({ code: 'custom', path: ['PALIMPSEST_SECRETS_KEY'], message });
};
