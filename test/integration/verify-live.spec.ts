import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { REBUILD_LOCK } from '../../libs/adapters/read-model-postgres/src/projector/lock.js';
import { openFolder } from '../../libs/embedded-event-store/src/storage/open-folder.js';
import { type ProcessDeployment, startInProcesses } from '../support/deployments/in-processes.js';
import { ADMIN_KEY } from '../support/deployments/settings.js';
import { Shell } from '../support/shell/shell.js';

/** Guarantee: `palimpsest verify --live` names every event, entry and row that was changed behind the service's back. */
describe('verify --live', () => {
  let deployment: ProcessDeployment;
  let database: pg.Client;
  let shell: Shell;
  let folder: string;
  const call = async (method: string, path: string, body: unknown = {}) => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
    const answer = await fetch(`${deployment.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'verify-live-'));
    deployment = await startInProcesses();
    shell = new Shell();
    database = new pg.Client({ connectionString: deployment.settings.PALIMPSEST_POSTGRES_URL });
    await database.connect();
    await call('POST', '/v1/sessions', { session: 's', model: 'claude-opus-4-6', system: 'Be brief.' });
    for (const content of ['Zwiebelfisch', 'Kabeljau'])
      await call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content }] });
    await call('POST', '/v1/sessions/s/compose');
    await call('POST', '/v1/sessions/s/usage', {
      usage: { inputTokens: 100, outputTokens: 20 },
    });
    await call('POST', '/v1/sessions', { session: 'gone', model: 'claude-opus-4-6' });
    await call('POST', '/v1/log/rotate-key');
    await call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content: 'Hecht' }] });
    await call('POST', '/v1/erasures', { session: 'gone', reason: 'Case 1881' });
  });
  afterAll(async () => {
    await shell.end();
    await database.end();
    await deployment.stop();
    await rm(folder, { recursive: true });
  });

  const verify = async (...more: readonly string[]) => {
    const { exitCode, stdout, stderr } = await shell.run(
      ['verify', '--live', '--url', deployment.url, ...more],
      { PALIMPSEST_API_KEY: ADMIN_KEY },
    );
    expect(stderr).toBe('');
    return { exitCode, stdout };
  };
  /** Runs a change that the service knows nothing of, verifies, and takes it back. */
  const changed = async (table: string, change: string) => {
    await database.query(`create table public.kept as table ${table}`);
    const { rowCount } = await database.query(change);
    expect(rowCount).toBeGreaterThan(0);
    const found = await verify();
    await database.query(`delete from ${table}`);
    await database.query(`insert into ${table} table public.kept`);
    await database.query('drop table public.kept');
    return found;
  };
  it('accepts an installation with a rotated key and an erasure, and remembers its heads', async () => {
    const heads = join(folder, 'heads.json');
    const first = await verify('--remember', heads);
    expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^installation: VALID\n/) });
    expect(existsSync(heads)).toBe(true);
    await call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content: 'Zander' }] });
    expect(await verify('--remember', heads)).toMatchObject({ exitCode: 0 });
  });

  it('runs one verification at a time, and ends it when its caller disconnects', async () => {
    // A verification waits for this lock before it ends. A holder of the lock is replaced without a sign of life.
    const lock = String(REBUILD_LOCK);
    await database.query('select pg_advisory_lock($1)', [lock]);
    const heldOn = () =>
      database.query(
        `insert into lock_beat (lock, pid) values ($1, pg_backend_pid())
         on conflict (lock) do update set pid = excluded.pid, beats = lock_beat.beats + 1`,
        [lock],
      );
    const begun = () => {
      const caller = new AbortController();
      const answer = fetch(`${deployment.url}/v1/log/verification`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
        body: '{}',
        signal: caller.signal,
      }).then(
        async (response) => [response.status, ((await response.json()) as { code?: string }).code] as const,
        () => 'gone' as const,
      );
      return { answer, leave: () => caller.abort() };
    };
    const BUSY = [409, 'request-in-progress'];
    type Begun = ReturnType<typeof begun>;
    const firstOf = (some: readonly Begun[]): Promise<Begun> =>
      Promise.race(some.map((one) => one.answer.then(() => one)));
    /** Whether a verification is still unanswered after others, begun one after another, were refused. */
    const outlasts = async (one: Begun): Promise<boolean> => {
      for (let count = 0; count < 20; count += 1) {
        const later = begun();
        if ((await firstOf([one, later])) === later) continue;
        later.leave();
        return false;
      }
      return true;
    };
    const first = [begun(), begun()];
    await heldOn();
    expect(await (await firstOf(first)).answer).toEqual(BUSY);
    for (const { leave } of first) leave();
    // Another one is accepted as soon as that one has ended. It refuses the others, and waits for the lock.
    let accepted: Begun | undefined;
    while (!accepted) {
      await heldOn();
      const pair = [begun(), begun()];
      const refused = await firstOf(pair);
      const [other] = pair.filter((one) => one !== refused);
      if (other && (await outlasts(other))) accepted = other;
    }
    await database.query('select pg_advisory_unlock($1)', [lock]);
    expect(await accepted.answer).toEqual([200, undefined]);
  });

  it.each([
    ['read.audit_events', "update read.audit_events set actor = 'mallory' where revision = 1", 'actor'],
    ['read.sessions', "update read.sessions set occupancy = occupancy + 1 where session = 's'", 'occupancy'],
    ['read.usage_by_day', 'update read.usage_by_day set output_tokens = output_tokens + 1', 'output_tokens'],
    ['read.audit_events', "delete from read.audit_events where session = 's' and revision = 2", 'removed'],
    [
      'read.sessions',
      'insert into read.sessions select (jsonb_populate_record(s, \'{"session": "new"}\')).* from read.sessions as s where session = \'s\'',
      'added',
    ],
  ])('names a row of %s: %s', async (table, change, named) => {
    const { exitCode, stdout } = await changed(table, change);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(new RegExp(`the row of ${table.slice(5)} with .* was .*${named}`));
    expect(stdout).toMatch(/log +ok/);
    expect(stdout).toMatch(/events +ok/);
    expect(await verify()).toMatchObject({ exitCode: 0 });
  });

  it.each([
    [
      'transparency.entry',
      "update transparency.entry set entry = replace(entry, 'SessionOpened', 'SessionClosed')",
      /entry \d+, or its hash, was changed/,
    ],
    ['transparency.entry', 'delete from transparency.entry where index = 3', /entry 3 of \d+ was removed/],
    [
      'transparency.tile',
      'update transparency.tile set hashes = set_byte(hashes, 40, 255 - get_byte(hashes, 40))',
      /entry 1, or its hash, was changed/,
    ],
  ])('names what was changed in %s: %s', async (table, change, named) => {
    const { exitCode, stdout } = await changed(table, change);
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout).toMatch(named);
  });

  it('names an event that was edited in the files of the event store', async () => {
    await deployment.eventStore.kill(() =>
      editEvents(join(deployment.eventStoreFolder), (record) =>
        replaceBytes(record, '"claude-opus-4-6"', '"claude-opus-4-5"'),
      ),
    );
    const { exitCode, stdout } = await verify();
    expect(exitCode).toBe(1);
    expect(stdout).toContain('tenant default: event 0 of session s was changed: public part');
  });
});

/** Edits records as a program of the operator can, with their checksums. */
const editEvents = async (folder: string, edit: (record: Buffer) => Buffer | undefined): Promise<void> => {
  const { engine, lock } = await openFolder(folder);
  const from = Buffer.alloc(8);
  for (const { key, value } of engine.scan('log', { from, limit: 10_000 })) {
    const edited = edit(value);
    if (edited) await engine.commit([{ table: 'log', key, value: edited }]);
  }
  await engine.close();
  lock.release();
};

const replaceBytes = (record: Buffer, text: string, by: string): Buffer | undefined => {
  const at = record.indexOf(text);
  if (at < 0) return undefined;
  const edited = Buffer.from(record);
  edited.write(by, at);
  return edited;
};
