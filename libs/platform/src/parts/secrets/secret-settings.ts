import { z } from 'zod';
import { whole } from '../../process-settings.js';

/** Keys that seal secrets in the database; set at most one of the first two. */
export const secretSettings = {
  PALIMPSEST_SECRETS_KEY: z.string().optional(),
  PALIMPSEST_SECRETS_KEY_FILE: z.string().optional(),
  /** Seconds that a process keeps the key of a session's content in memory. */
  PALIMPSEST_KEY_CACHE_SECONDS: whole('a number of seconds', 1, 86_400).default(300),
  /** Where keys are decrypted that Vault's transit engine has encrypted: `vault:v1:…` in their place. */
  PALIMPSEST_VAULT_ADDR: z.url({ protocol: /^https?$/, error: 'give https://HOST:PORT' }).optional(),
  PALIMPSEST_VAULT_TOKEN_FILE: z.string().optional(),
  PALIMPSEST_VAULT_MOUNT: z.string().default('transit'),
  PALIMPSEST_VAULT_KEY: z.string().default('palimpsest'),
  PALIMPSEST_VAULT_NAMESPACE: z.string().optional(),
  /** The key that decrypts `aws-kms:…`, `google-kms:…` or `azure-key-vault:…`, as its store names it. */
  PALIMPSEST_KMS_KEY: z.string().optional(),
  /** Address of AWS KMS or Google Cloud KMS, other than the vendor's. */
  PALIMPSEST_KMS_URL: z.url({ protocol: /^https?$/, error: 'give https://HOST:PORT' }).optional(),
};

type Given = {
  readonly PALIMPSEST_SECRETS_KEY?: string | undefined;
  readonly PALIMPSEST_SECRETS_KEY_FILE?: string | undefined;
};

/** Rejects both settings together, which would be ambiguous. */
export const requireOneOfSecretKeys = (given: Given, context: z.RefinementCtx): void => {
  if (given.PALIMPSEST_SECRETS_KEY === undefined || given.PALIMPSEST_SECRETS_KEY_FILE === undefined) return;
  const message = 'give it, or PALIMPSEST_SECRETS_KEY_FILE, not both';
  context.addIssue({ code: 'custom', path: ['PALIMPSEST_SECRETS_KEY'], message });
};
