import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecretKey } from '@app/adapters/secret-box';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parseConfig } from '../../config.js';
import { secretKeys } from './secret-keys.js';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const given = newSecretKey();
const config = (settings: Readonly<Record<string, string>> = {}) => parseConfig(settings);

describe('the keys of the secret box', () => {
  it('are created once in the data folder, readable by its user only', async () => {
    const [first] = await Promise.all([secretKeys(config(), folder), secretKeys(config(), folder)]);
    expect(first).toHaveLength(1);
    expect(await secretKeys(config(), folder)).toEqual(first);
    expect(readdirSync(folder)).toEqual(['secrets.key']);
    expect(statSync(join(folder, 'secrets.key')).mode & 0o777).toBe(0o600);
  });

  it('come from the configuration if it has any, and the folder stays unchanged', async () => {
    const kept = readFileSync(join(folder, 'secrets.key'), 'utf8');
    const file = join(folder, 'named.key');
    writeFileSync(file, `${newSecretKey()}\n${given}\n`);
    expect(await secretKeys(config({ PALIMPSEST_SECRETS_KEY_FILE: file }), folder)).toHaveLength(2);
    expect(await secretKeys(config({ PALIMPSEST_SECRETS_KEY: given }), folder)).toHaveLength(1);
    expect(readFileSync(join(folder, 'secrets.key'), 'utf8')).toBe(kept);
  });

  it('are absent with a remote database and no configuration', async () => {
    expect(await secretKeys(config(), undefined)).toEqual([]);
  });

  it('are rejected without quoting them', async () => {
    const file = join(folder, 'wrong.key');
    writeFileSync(file, 'Zwiebelfisch');
    const fault = (settings: Readonly<Record<string, string>>) =>
      secretKeys(config(settings), folder).catch((error: unknown) => error);
    const faults = await Promise.all([
      fault({ PALIMPSEST_SECRETS_KEY_FILE: file }),
      fault({ PALIMPSEST_SECRETS_KEY: 'Zwiebelfisch' }),
      fault({ PALIMPSEST_SECRETS_KEY_FILE: join(folder, 'nowhere') }),
    ]);
    expect(faults).toMatchObject([
      { code: 'invalid-configuration' },
      { code: 'invalid-configuration' },
      { code: 'unreadable-file' },
    ]);
    expect(faults.map(String).join()).not.toContain('Zwiebelfisch');
    const both = { PALIMPSEST_SECRETS_KEY: given, PALIMPSEST_SECRETS_KEY_FILE: file };
    expect(() => config(both)).toThrow(/PALIMPSEST_SECRETS_KEY/);
    expect(() => config(both)).not.toThrow(new RegExp(given.slice(0, 10).replaceAll('+', '\\+')));
  });
});
