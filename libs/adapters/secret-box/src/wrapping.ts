import type { SecretBox } from '@app/ports';
import { openSecretBox } from './open-secret-box.js';
import { newSecretKey, readSecretKeys } from './secret-keys.js';

/** Makes keys that wrap others, and opens boxes with them. */
export const WRAPPING = {
  newKey: newSecretKey,
  boxOf: (key: string): SecretBox => openSecretBox(readSecretKeys(key) ?? []),
};
