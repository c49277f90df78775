import { isMemoryInUse, serverFailure } from './failures.js';

/** Literal output of PostgreSQL 18 and its initdb. */
describe('start failure', () => {
  const where = { dataDir: '/data', port: 5_432 };
  const log = (text: string): string => `2026-01-01 00:00:00.000 UTC [42] ${text}`;

  it.each([
    ['port-in-use', 'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use'],
    ['port-in-use', 'LOG:  could not bind IPv4 address "127.0.0.1": Permission denied'],
    ['disk-full', 'FATAL:  could not write to file "pg_wal/xlogtemp.42": No space left on device'],
    ['disk-full', 'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 9'],
    ['data-folder-in-use', 'FATAL:  lock file "postmaster.pid" already exists'],
    ['data-folder-newer', 'FATAL:  database files are incompatible with server'],
    ['data-folder-unusable', 'FATAL:  data directory "/data/cluster" has wrong ownership'],
    ['data-folder-unusable', 'FATAL:  could not open file "/data/cluster/PG_VERSION": Permission denied'],
    ['postgres-unavailable', 'FATAL:  could not create shared memory segment: Cannot allocate memory'],
  ])('maps to %s: %s', (code, line) => {
    const lines = [
      log('LOG:  starting PostgreSQL 18.4'),
      log(line),
      log('LOG:  database system is shut down'),
    ];
    expect(serverFailure('it fails', lines, where)).toMatchObject({ code });
  });

  it('contains the last FATAL or PANIC line, without timestamp and pid', () => {
    const lines = [log('FATAL:  first'), log('PANIC:  second'), log('LOG:  database system is shut down')];
    expect(serverFailure('it fails', lines, where).message).toMatch(
      /^it fails: second; see server\.log in \/data/,
    );
  });

  it('states that the server printed nothing', () => {
    expect(serverFailure('it fails', [], where)).toMatchObject({
      code: 'postgres-unavailable',
      message: expect.stringContaining('it printed nothing'),
    });
  });

  it('is retryable if shared memory is still in use', () => {
    const held = 'FATAL:  pre-existing shared memory block (key 2146411, ID 5) is still in use';
    expect(isMemoryInUse([log(held)])).toBe(true);
    expect(isMemoryInUse([log('FATAL:  lock file "postmaster.pid" already exists')])).toBe(false);
  });
});
