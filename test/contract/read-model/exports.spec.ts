import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openReadModels } from '@app/adapters/read-model-postgres';
import { auditBatches, auditLines, EXPORT_FORMATS } from '@app/application';
import { TenantId } from '@app/kernel';
import type { ReadModels } from '@app/ports';
import { auditRows, LARGE_TENANT, memoryDigests } from '@app/testing';
import { TestDatabase } from './support/read-model-database.js';

const ROWS = 400_000;
const TENANT = TenantId(LARGE_TENANT);
const GROWTH_MAX_MIB = 25;

/** Guarantee: an export holds at most a few batches in memory, and reads no more rows than wanted. */
describe('export of the audit', () => {
  let test: TestDatabase;
  let models: ReadModels;
  beforeAll(async () => {
    test = await TestDatabase.start();
    // Drops indexes that a full export does not use, to fill the table faster.
    const unused = await test.query(`select indexrelid::regclass::text as name from pg_index
      where indrelid = 'read.audit_events'::regclass and not indisprimary`);
    for (const { name } of unused) await test.query(`drop index ${name}`);
    await test.query(auditRows({ after: 0, upTo: ROWS }));
    await test.query('analyze read.audit_events');
    models = openReadModels(test.database, memoryDigests);
  });
  afterAll(() => test.stop());

  it.each(EXPORT_FORMATS)('has every row once and in order as %s, in bounded memory', async (format) => {
    let lines = 0;
    let last = 0n;
    let largest = 0;
    const before = heapMiB();
    for await (const text of auditLines(format, auditBatches(models, { tenant: TENANT, sort: 'position' }))) {
      for (const line of text.trimEnd().split('\n')) {
        const position = /^(?:\{"position":")?(\d+)/.exec(line)?.[1];
        if (position === undefined) continue; // The header.
        if (BigInt(position) <= last) throw new Error(`${position} comes after ${last}`);
        last = BigInt(position);
        lines += 1;
      }
      if (lines % 100_000 === 0) largest = Math.max(largest, heapMiB());
    }
    expect(lines).toBe(ROWS / 2);
    expect(largest - before).toBeLessThan(GROWTH_MAX_MIB);
  });

  it('stops reading when its consumer does', async () => {
    let asked = 0;
    const counting: Pick<ReadModels, 'audit'> = {
      audit: (query) => {
        asked += 1;
        return models.audit(query);
      },
    };
    for await (const _ of auditLines('ndjson', auditBatches(counting, { tenant: TENANT }))) break;
    expect(asked).toBe(1);
  });

  it('ends at its limit', async () => {
    let rows = 0;
    for await (const batch of auditBatches(models, { tenant: TENANT, limit: 2_500 })) rows += batch.length;
    expect(rows).toBe(2_500);
  });
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
/** Returns the used heap after garbage collection. */
const heapMiB = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
};
