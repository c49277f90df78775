import { z } from 'zod';

/** Maximum characters: fits a provider's key or a PEM certificate. */
const VALUE_MAX = 16_384;

export const secretValue = z
  .string()
  .min(1)
  .max(VALUE_MAX)
  .describe('It is kept sealed, and is shown to nobody again');

export const namedSecret = z
  .object({
    name: z.string(),
    createdAt: z.string(),
    changedAt: z.string().describe('When its value was given last'),
    lastUsedAt: z.string().nullable().describe('To the minute'),
  })
  .meta({ id: 'Secret', description: 'A secret, without its value.' });
