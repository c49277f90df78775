import { z } from 'zod';

export const sessionArgument = z
  .string()
  .max(200)
  .optional()
  .describe('ID of the session; may be left out if the server was started for one session');
