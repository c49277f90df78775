import { z } from 'zod';

const TIMEOUT_FAULT = 'give milliseconds from 100 to 600000';

/** Settings of webhooks. */
export const webhookSettings = {
  /** Whether webhook URLs may lead to private and loopback addresses, and so into the service's own network. */
  PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: z
    .enum(['true', 'false'], { error: 'give true or false' })
    .default('false')
    .transform((text) => text === 'true'),
  /** Milliseconds for one attempt. */
  PALIMPSEST_WEBHOOK_TIMEOUT_MS: z
    .string()
    .regex(/^\d{1,6}$/, TIMEOUT_FAULT)
    .transform(Number)
    .refine((milliseconds) => milliseconds >= 100 && milliseconds <= 600_000, TIMEOUT_FAULT)
    .default(15_000),
};
