// Parts of two installations together, and wrong keys: each start is refused in one line, and nothing is harmed.
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnPostgres } from '@app/embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Shell } from '../support/shell/shell.js';
import { expectRefused } from './support/expect-refused.js';
import { Folders } from './support/folders.js';
import { said } from './support/histories.js';
import { output } from './support/palimpsest.js';

const folders = new Folders();
const [ours, theirs, broken] = [await folders.prepared(), await folders.prepared(), folders.next()];
const SAID = 'what only this installation knows';

const context = (data: string): Promise<string> => output(['context', 'first', '--json', '--data', data]);
let ourContext: string;

beforeAll(async () => {
  const message = join(folders.home, 'message.json');
  writeFileSync(message, JSON.stringify([{ role: 'user', content: SAID }]));
  for (const data of [ours, theirs])
    await Shell.on(data, async (shell) => {
      said(await shell.run(['open', 'first', '--window', '32k', '--data', data]));
      said(await shell.run(['append', 'first', message, '--data', data]));
    });
  ourContext = await context(ours);
});
afterAll(() => folders.remove());

/** Starts on a copy of our folder that was changed, and on the same copy with the parts put back. */
const refused = async (harm: () => void | Promise<void>, says: RegExp): Promise<void> => {
  rmSync(broken, { recursive: true, force: true });
  cpSync(ours, broken, { recursive: true });
  await harm();
  await expectRefused(['sessions', '--data', broken], says);
};
const replace = (part: string): void => {
  rmSync(join(broken, part), { recursive: true });
  cpSync(join(theirs, part), join(broken, part), { recursive: true });
};
const remove = (part: string): void => rmSync(join(broken, part), { recursive: true });

describe('a start is refused', () => {
  it('with the key of another installation, and goes on with its own', async () => {
    await refused(
      () => replace('secrets.key'),
      /not the key of installation [0-9a-f-]{36}: .*\[installation-key-wrong\]/,
    );
    cpSync(join(ours, 'secrets.key'), join(broken, 'secrets.key'));
    expect(await context(broken)).toBe(ourContext);
  });

  it('without the key, and makes no other one', async () => {
    await refused(
      () => remove('secrets.key'),
      /secrets\.key is missing.*put it back.*\[installation-key-wrong\]/,
    );
    expect(existsSync(join(broken, 'secrets.key'))).toBe(false);
  });

  it('with a cut key file', () =>
    refused(
      () => truncateSync(join(broken, 'secrets.key'), readFileSync(join(ours, 'secrets.key')).length - 9),
      /secrets\.key holds no key.*\[invalid-configuration\]/,
    ));

  it('with the event log of another installation, and leaves both as they were', async () => {
    await refused(
      () => replace('eventstore'),
      /the database belongs to installation \S{36}, and the event log to \S{36}: .*\[installation-mismatch\]/,
    );
    remove('eventstore');
    cpSync(join(ours, 'eventstore'), join(broken, 'eventstore'), { recursive: true });
    expect(await context(broken)).toBe(ourContext);
  });

  it('with a new event log, and names no installation in it', async () => {
    await refused(() => remove('eventstore'), /and the event log to none: .*\[installation-mismatch\]/);
    await expectRefused(['sessions', '--data', broken], /and the event log to none: /);
  });

  it('with a new database beside a log with sessions', () =>
    refused(() => {
      remove('postgres');
      remove('secrets.key');
    }, /the database is new and has no keys: .*\[installation-mismatch\]/));

  describe('with a key store', () => {
    const inDatabase = async (data: string, work: (client: pg.Client) => Promise<void>): Promise<void> => {
      const server = await spawnPostgres({ dataDir: join(data, 'postgres') });
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      try {
        await work(client);
      } finally {
        await client.end();
        await server.stop();
      }
    };

    it('of another installation', async () => {
      let rows: unknown[] = [];
      await inDatabase(theirs, async (client) => {
        rows = (await client.query('select id, sealed from keys.installation')).rows;
      });
      await refused(
        () =>
          inDatabase(broken, async (client) => {
            await client.query(
              'update keys.installation set (id, sealed) = (select id, sealed from jsonb_to_recordset($1) as x(id text, sealed text))',
              [JSON.stringify(rows)],
            );
          }),
        /the database belongs to installation \S{36}, and its schema `keys` to \S{36}: .*\[installation-mismatch\]/,
      );
    });

    it('that is empty', () =>
      refused(
        () =>
          inDatabase(broken, async (client) => {
            await client.query('truncate keys.installation, keys.tenant_key, keys.content_key');
          }),
        /its schema `keys` is empty: restore the keys.*\[installation-mismatch\]/,
      ));
  });
});

it('a backup is not added to one of another installation, nor restored with its keys', async () => {
  const [backup, keys, other] = ['backup', 'keys', 'other-keys'].map((name) => join(folders.home, name));
  await output(['backup', backup ?? '', '--keys', keys ?? '', '--data', ours]);
  await expectRefused(
    ['backup', backup ?? '', '--data', theirs],
    /is a backup of installation \S{36}, and this is \S{36}: .*\[installation-mismatch\]/,
  );
  await output(['backup', `${backup}-of-others`, '--keys', other ?? '', '--data', theirs]);
  const place = folders.next();
  await expectRefused(
    ['restore', backup ?? '', '--keys', other ?? '', '--data', place],
    /the keys belong to installation \S{36}, and the backup to \S{36}: .*\[installation-mismatch\]/,
  );
  await expectRefused(
    ['restore', backup ?? '', '--keys', keys ?? '', '--ledger', `${backup}-of-others`, '--data', place],
    /name a newer backup of the same one \[installation-mismatch\]/,
  );
  const wrong = join(folders.home, 'wrong.key');
  writeFileSync(wrong, readFileSync(join(theirs, 'secrets.key')));
  await expectRefused(
    ['restore', backup ?? '', '--keys', keys ?? '', '--data', place],
    /\[installation-key-wrong\]/,
    { env: { PALIMPSEST_SECRETS_KEY_FILE: wrong } },
  );
  expect(existsSync(place)).toBe(false);
  expect(await context(ours)).toContain(SAID);
});
