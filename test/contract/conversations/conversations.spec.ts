import { openConversations } from '@app/adapters/read-model-postgres';
import { SessionId, TenantId } from '@app/kernel';
import type { Conversations } from '@app/ports';
import { memoryConversations } from '@app/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../read-model/support/read-model-database.js';

const acme = TenantId('acme');
const globex = TenantId('globex');
const [one, two] = [SessionId('one'), SessionId('two')];
/** Returns a distinct digest per test and position. */
const chain = (test: number, at: number): string => `${test}${at}`.padStart(64, '0');

/** Guarantee: a message history resolves to the session that last had it, within its tenant. */
describe.each(['PostgreSQL', 'memory'] as const)('conversation index in %s', (where) => {
  let database: TestDatabase | undefined;
  let conversations: Conversations;
  beforeAll(async () => {
    if (where === 'memory') {
      conversations = memoryConversations();
      return;
    }
    database = await TestDatabase.start();
    conversations = openConversations(database.database);
  });
  afterAll(() => database?.stop());

  it('returns the session of the first known digest', async () => {
    const places = [
      { chain: chain(1, 1), messages: 1 },
      { chain: chain(1, 2), messages: 2 },
    ];
    await conversations.remember(acme, one, places);
    const asked = [chain(1, 3), chain(1, 2), chain(1, 1)];
    expect(await conversations.find(acme, asked)).toEqual({ chain: chain(1, 2), session: one, messages: 2 });
    expect(await conversations.find(acme, [chain(1, 3)])).toBeUndefined();
    expect(await conversations.find(acme, [])).toBeUndefined();
  });

  it('returns the session that had a history last', async () => {
    await conversations.remember(acme, one, [{ chain: chain(2, 1), messages: 4 }]);
    await conversations.remember(acme, two, [{ chain: chain(2, 1), messages: 5 }]);
    expect(await conversations.find(acme, [chain(2, 1)])).toMatchObject({ session: two, messages: 5 });
    await conversations.remember(acme, one, []);
  });

  it('returns nothing of another tenant', async () => {
    await conversations.remember(acme, one, [{ chain: chain(3, 1), messages: 1 }]);
    await conversations.name(acme, [{ name: 'answer r3', digest: chain(3, 2) }]);
    expect(await conversations.find(globex, [chain(3, 1)])).toBeUndefined();
    expect(await conversations.named(globex, ['answer r3'])).toEqual(new Map());
  });

  it('maps names to their latest session, and the empty name to none', async () => {
    await conversations.name(acme, [
      { name: 'answer r4', digest: chain(4, 1) },
      { name: 'item i4', digest: '' },
    ]);
    await conversations.name(acme, [{ name: 'answer r4', digest: chain(4, 2) }]);
    await conversations.name(acme, []);
    expect(await conversations.named(acme, ['answer r4', 'item i4', 'item none'])).toEqual(
      new Map([
        ['answer r4', chain(4, 2)],
        ['item i4', ''],
      ]),
    );
    expect(await conversations.named(acme, [])).toEqual(new Map());
  });

  it('accepts NUL and lone surrogates in unknown names', async () => {
    const names = ['answer \u0000', 'item \ud800', 'answer r5'];
    await conversations.name(acme, [{ name: 'answer r5', digest: chain(5, 1) }]);
    expect(await conversations.named(acme, names)).toEqual(new Map([['answer r5', chain(5, 1)]]));
  });
});
