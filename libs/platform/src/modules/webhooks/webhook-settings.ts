import { z } from 'zod';

const TIMEOUT_FAULT = 'give milliseconds from 100 to 600000';

/** Where events are sent over HTTP. */
export const webhookSettings = {
  /** Whether webhooks may lead to private and loopback addresses: to those of this very network. */
  PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], { error: 'give true or false' })
    .default('false')
    .transform((text) => text === 'true'),
  /** How long one try may take. */
  PALIMPSEST_WEBHOOK_TIMEOUT_MS: z
    .string()
    .regex(/^\d{1,6}$/, TIMEOUT_FAULT)
    .transform(Number)
    .refine((milliseconds) => milliseconds >= 100 && milliseconds <= 600_000, TIMEOUT_FAULT)
    .default(15_000),
};
