import { expect, it } from '@jest/globals';
import { SampleLog, writeBundle } from '../../../../test/support/testing/proofs/sample-log.js';
import { verifyBundle } from '../verify/verify-bundle.js';

it('lets a process serve others after each head and each event of a bundle', async () => {
  const log = new SampleLog('acme', { below: (limit) => limit >> 1 });
  log.append('s1');
  const yieldsOf = async () => {
    let yields = 0;
    const yieldToLoop = async () => {
      yields += 1;
    };
    const bundle = Buffer.from(writeBundle(log.parts('s1')));
    expect((await verifyBundle(bundle, { yieldToLoop })).outcome).toBe('valid');
    return yields;
  };
  const before = await yieldsOf();
  for (let at = 0; at < 20; at += 1) log.rotate();
  const rotated = await yieldsOf();
  expect(rotated - before).toBeGreaterThanOrEqual(20);
  for (let at = 0; at < 20; at += 1) log.append('s1');
  expect((await yieldsOf()) - rotated).toBeGreaterThanOrEqual(20);
});
