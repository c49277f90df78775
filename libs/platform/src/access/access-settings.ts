import { z } from 'zod';

const KEY_FAULT = 'give 16 to 200 printable ASCII characters without blanks';
export const configurableKey = z.string().regex(/^[\x21-\x7e]{16,200}$/, KEY_FAULT);

/** A key that is known beforehand, for automation: an admin's of the operator's tenant. One of the two at most. */
export const accessSettings = {
  PALIMPSEST_API_KEY: configurableKey.optional(),
  PALIMPSEST_BOOTSTRAP_KEY_FILE: z.string().min(1).optional(),
};
