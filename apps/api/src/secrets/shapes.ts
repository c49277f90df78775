import { z } from 'zod';

/** Maximum characters: fits a provider's key or a PEM certificate. */
const VALUE_MAX = 16_384;

export const secretValue = z.string().min(1).max(VALUE_MAX).describe('Stored encrypted and never returned');

export const namedSecret = z
  .object({
    name: z.string(),
    createdAt: z.string(),
    changedAt: z.string().describe('Time of the last change of its value'),
    lastUsedAt: z.string().nullable().describe('Time of the last use, to the minute'),
  })
  .meta({ id: 'NamedSecret', description: 'A secret, without its value.' });
