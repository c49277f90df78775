import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFolder } from '../support/cli.js';

type Issued = {
  readonly keyId: string;
  readonly key: string;
  readonly role: string;
  readonly prefix: string;
};
type Listed = { readonly keyId: string; readonly state: string; readonly label: string };

/** Guarantee: the local command line manages a tenant's resources, and shows a secret once or never. */
describe('tenant commands', () => {
  let folder: CliFolder;
  beforeAll(async () => {
    folder = await CliFolder.shared();
  });
  afterAll(() => folder.remove());
  const refused = async (...args: readonly string[]) => {
    const { exitCode, stdout, stderr } = await folder.attempt(...args);
    return { exitCode, stdout, code: /\[([a-z-]+)\]\n$/.exec(stderr)?.[1] };
  };

  it('issue, list, rotate and revoke keys, each shown once', async () => {
    const first = await folder.one<Issued>('keys', 'add', '--role', 'agent', '--label', 'ci');
    expect(first).toMatchObject({ role: 'agent', tenant: 'default', label: 'ci', expiresAt: null });
    expect(first.key.startsWith(first.prefix)).toBe(true);
    const second = await folder.one<Issued>('keys', 'rotate', first.keyId, '--overlap', '60');
    expect(second).toMatchObject({ replaces: first.keyId, role: 'agent', label: 'ci' });
    expect(await folder.one('keys', 'revoke', second.keyId, '--reason', 'lost')).toEqual({
      keyId: second.keyId,
      state: 'revoked',
    });
    const said = await folder.run('keys', 'list');
    const keys: readonly Listed[] = JSON.parse(said);
    const stateOf = ({ keyId }: Issued) => keys.find((key) => key.keyId === keyId)?.state;
    expect([first, second].map(stateOf)).toEqual(['active', 'revoked']);
    for (const { key } of [first, second]) expect(said).not.toContain(key);
    expect(await refused('keys', 'revoke', 'A'.repeat(12))).toMatchObject({
      exitCode: 1,
      code: 'key-not-found',
    });
  });

  it('put, list and remove secrets without showing them', async () => {
    const file = join(folder.data, 'model-key.txt');
    await writeFile(file, 'sk-very-secret\n');
    const kept = await folder.run('secrets', 'set', 'model-key', file);
    const listed = await folder.run('secrets', 'list');
    expect(JSON.parse(listed)).toMatchObject([{ name: 'model-key', lastUsedAt: null }]);
    expect(`${kept}${listed}`).not.toContain('sk-very-secret');
    const removed = { name: 'model-key', state: 'removed' };
    expect(await folder.one('secrets', 'remove', 'model-key')).toEqual(removed);
    expect(JSON.parse(await folder.run('secrets', 'list'))).toEqual([]);
  });

  it('configure summarizers with the secrets that contain their keys, and reset them', async () => {
    const links = ['anthropic:claude-opus-5-5#model-key', 'openai-chat#other-key', 'extractive'];
    const set = await folder.one('summarizers', 'set', 'careful', ...links, '--default');
    const careful = [
      { provider: 'anthropic', model: 'claude-opus-5-5', secret: 'model-key' },
      { provider: 'openai-chat', secret: 'other-key' },
      { provider: 'extractive' },
    ];
    expect(set).toEqual({ default: 'careful', summarizers: { careful } });
    const quick = await folder.one('summarizers', 'set', 'quick', 'extractive');
    expect(quick).toEqual({
      default: 'careful',
      summarizers: { careful, quick: [{ provider: 'extractive' }] },
    });
    expect(await folder.one('summarizers', 'remove', 'careful')).toMatchObject({ default: null });
    expect(await folder.one('summarizers', 'list')).toEqual({
      default: null,
      summarizers: { quick: [{ provider: 'extractive' }] },
    });
    const unclear = await folder.attempt('summarizers', 'set', 'x', 'anthropic:m#no secret sk-1');
    expect(unclear).toMatchObject({ exitCode: 1, stdout: '' });
    expect(unclear.stderr).not.toContain('sk-1');
    for (const args of [
      ['x', 'anthropic#s', '--prompt=__proto__'],
      ['x', 'anthropic#s', '--prompt=p@0'],
      ['x', 'anthropic#__proto__'],
      ['__proto__', 'extractive'],
    ])
      expect(await refused('summarizers', 'set', ...args)).toMatchObject({ code: 'invalid-settings' });
    expect(await refused('summarizers', 'remove', 'careful')).toMatchObject({ code: 'invalid-settings' });
  });

  it('show limits, and change the given ones', async () => {
    const before = await folder.one<object>('limits', 'show');
    const changed = await folder.one('limits', 'change', '--concurrent-compactions', '4');
    expect(changed).toEqual({ ...before, concurrentCompactions: 4 });
    expect(await folder.one('limits', 'show')).toEqual(changed);
    expect(await refused('limits', 'change')).toMatchObject({ exitCode: 1, code: 'invalid-settings' });
    expect(await refused('limits', 'change', '--tokens-per-minute', '0')).toMatchObject({ exitCode: 2 });
  });
});
