export { openSecretBox, type ReplaceableBox, replaceableBox } from './open-secret-box.js';
export { newSecretKey, readSecretKeys, type SecretKey, unwrapKeys } from './secret-keys.js';
export { unwrapWithVault, VAULT_PREFIX } from './vault.js';
export { WRAPPING } from './wrapping.js';
