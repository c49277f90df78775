import { z } from 'zod';

const KEY_FAULT = 'give 16 to 200 printable ASCII characters without blanks';
export const configurableKey = z.string().regex(/^[\x21-\x7e]{16,200}$/, KEY_FAULT);

/** A predefined API key for automation, of an admin of the operator's tenant. Set at most one of the two. */
export const accessSettings = {
  PALIMPSEST_API_KEY: configurableKey.optional(),
  PALIMPSEST_BOOTSTRAP_KEY_FILE: z.string().min(1).optional(),
};
