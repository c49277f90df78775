import { newSecretKey, openSecretBox, readSecretKeys, type SecretKey } from '@app/adapters/secret-box';
import { AppError } from '@app/kernel';
import fc from 'fast-check';

const keysOf = (...written: readonly string[]): readonly SecretKey[] =>
  readSecretKeys(written.join('\n')) ?? [];
const codeOf = (act: () => unknown): string => {
  try {
    return String(act());
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};
const [first, second] = [newSecretKey(), newSecretKey()];
const box = openSecretBox(keysOf(first));

describe('a sealed secret', () => {
  it('is opened by its key, for any text, and does not contain the text', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), fc.string(), (secret, place) => {
      const sealed = box.seal(secret, place);
      expect(box.open(sealed, place)).toBe(Buffer.from(secret).toString());
      expect(sealed.startsWith(box.prefix ?? 'none')).toBe(true);
    });
    fc.assert(property, { numRuns: 200 });
    expect(box.seal('the same', 'here')).not.toBe(box.seal('the same', 'here'));
  });

  it('is opened only under the location it was sealed for', () => {
    expect(codeOf(() => box.open(box.seal('s', 'secret/acme/a'), 'secret/globex/a'))).toBe(
      'secret-unreadable',
    );
  });

  it('is rejected after a change of a single bit', () => {
    const sealed = box.seal('a secret', 'here');
    const [version, id, written = ''] = sealed.split('.');
    const bytes = Buffer.from(written, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const text = [version, id, changed.toString('base64url')].join('.');
      expect(codeOf(() => box.open(text, 'here'))).toBe('secret-unreadable');
    }
    for (const text of ['', 'a secret', sealed.slice(0, 40), `v2${sealed.slice(2)}`])
      expect(codeOf(() => box.open(text, 'here'))).toBe('secret-unreadable');
  });

  it('is opened by a retired key, and by no unknown key', () => {
    const sealed = box.seal('from before', 'here');
    const rotated = openSecretBox(keysOf(second, first));
    expect(rotated.open(sealed, 'here')).toBe('from before');
    expect(rotated.seal('new', 'here').startsWith(rotated.prefix ?? 'none')).toBe(true);
    expect(rotated.prefix).not.toBe(box.prefix);
    expect(codeOf(() => openSecretBox(keysOf(second)).open(sealed, 'here'))).toBe('secret-unreadable');
  });

  it('cannot be created without a key', () => {
    const keyless = openSecretBox([]);
    expect(keyless.prefix).toBeUndefined();
    expect(codeOf(() => keyless.seal('s', 'here'))).toBe('secrets-key-missing');
    expect(codeOf(() => keyless.open(box.seal('s', 'here'), 'here'))).toBe('secret-unreadable');
  });
});

describe('a key file', () => {
  it('has one key per line or keys separated by commas, and comments', () => {
    expect(keysOf('# made today', first, '', second).map(({ id }) => id)).toHaveLength(2);
    expect(readSecretKeys(`${first},${second}`)).toEqual(keysOf(first, second));
    expect(readSecretKeys(`  ${first}\r\n`)).toEqual(keysOf(first));
  });

  it('is rejected as a whole if one key is invalid', () => {
    expect(readSecretKeys('')).toBeUndefined();
    expect(readSecretKeys('# nothing but words')).toBeUndefined();
    expect(readSecretKeys(`${first}\nhunter2`)).toBeUndefined();
    expect(readSecretKeys(first.slice(0, 40))).toBeUndefined();
    expect(readSecretKeys(Buffer.alloc(16).toString('base64'))).toBeUndefined();
  });
});
