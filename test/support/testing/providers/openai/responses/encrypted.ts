import { sealOf } from '../../values/digest.js';
import { textOr } from '../../values/wire-values.js';
import type { Encrypt } from './output.js';

const PREFIX = 'gAAAAA';

/**
 * Opaque rather than secret: signed, so that the server recognizes its own, and encoded, so that no text is visible.
 */
export const encryptWith =
  (secret: string): Encrypt =>
  (kind, text) => {
    const clear = Buffer.from(`${kind}:${text}`).toString('base64url');
    return `${PREFIX}${clear}.${sealOf(secret, clear)}`;
  };

/** Returns the text that this server encrypted; `undefined` for foreign or altered text. */
export const decryptWith = (
  secret: string,
  kind: Parameters<Encrypt>[0],
  encrypted: unknown,
): string | undefined => {
  const [head = '', seal] = textOr(encrypted, '').split('.');
  const clear = head.slice(PREFIX.length);
  if (!head.startsWith(PREFIX) || seal !== sealOf(secret, clear)) return undefined;
  const text = Buffer.from(clear, 'base64url').toString();
  return text.startsWith(`${kind}:`) ? text.slice(kind.length + 1) : undefined;
};
