export { openSecretBox, type ReplaceableBox, replaceableBox } from './open-secret-box.js';
export { newSecretKey, readSecretKeys, type SecretKey } from './secret-keys.js';
export { WRAPPING } from './wrapping.js';
