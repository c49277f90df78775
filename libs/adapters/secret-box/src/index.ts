export { type KeyStoreSettings, unwrapperOf } from './key-stores/unwrapping.js';
export { openSecretBox, type ReplaceableBox, replaceableBox } from './open-secret-box.js';
export { newSecretKey, readSecretKeys, type SecretKey, unwrapKeys } from './secret-keys.js';
export { WRAPPING } from './wrapping.js';
