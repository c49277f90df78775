// A few subjects; `npm run bench erasure` erases one of a thousand.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eraseAmongMany, filesWith, startEmbedded } from '@app/deployments';
import { verifyBundle } from '@app/proof';
import { expect, it } from '@jest/globals';

/** Guarantee: an erasure that is killed at any moment is finished by the next start, and changes nothing else. */
it('erases one of many subjects while the service is killed, and nothing of the others', async () => {
  const data = await mkdtemp(join(tmpdir(), 'palimpsest-many-'));
  const deployment = await startEmbedded({ PALIMPSEST_DATA: data });
  try {
    const options = { seed: 7, subjects: 30, sessions: 6, kills: 2, verify: verifyBundle };
    const { faults, secret, sessions } = await eraseAmongMany(deployment, options);
    expect(faults).toEqual([]);
    expect(sessions).toBeGreaterThanOrEqual(3);
    await deployment.stop();
    expect(await filesWith(data, [secret])).toEqual({});
  } finally {
    await deployment.stop();
    await rm(data, { recursive: true, force: true });
  }
});
