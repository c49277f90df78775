import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** A text that occurs nowhere else. */
const planted = (place: string): string => `planted-in-${place}-5f0c`;

/** Returns the files below a folder that contain the text, as UTF-8 or base64 at any offset. */
const filesWith = async (folder: string, text: string): Promise<readonly string[]> => {
  const wanted = [0, 1, 2].map((offset) => {
    const base64 = Buffer.from(' '.repeat(offset) + text).toString('base64');
    return Buffer.from(base64.slice(offset === 0 ? 0 : 4, -4));
  });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)); // PostgreSQL removes files at any time.
    if ([Buffer.from(text), ...wanted].some((one) => bytes.includes(one))) found.push(path);
  }
  return found;
};

/** Guarantee: content is on disk only encrypted, in the log, its blobs and the database. */
it('keeps content encrypted in every file of the data folder, and answers it in full', async () => {
  const data = await mkdtemp(join(tmpdir(), 'palimpsest-sealed-'));
  const api = await ApiServer.start({ PALIMPSEST_DATA: data });
  const read = async (path: string) => JSON.stringify((await api.call('GET', path)).body);
  const places = ['system', 'tool', 'user', 'call', 'result', 'large', 'pin', 'instructions'];
  try {
    const tools = [{ name: 'read', description: planted('tool'), input_schema: { type: 'object' } }];
    const opened = { session: 's', window: 2_000_000, system: planted('system'), tools };
    expect(await api.call('POST', '/v1/sessions', opened)).toMatchObject({ status: 201 });
    const call = { type: 'tool_use', id: 'c', name: 'read', input: { path: planted('call') } };
    const messages = [
      { role: 'user', content: `${planted('user')} ${'word '.repeat(2_000)}` },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: planted('result') }] },
      { role: 'assistant', content: 'done' },
      ...Array.from({ length: 8 }, (_, turn) => [
        { role: 'user', content: `${turn} ${'word '.repeat(2_000)}` },
        { role: 'assistant', content: 'done' },
      ]).flat(),
    ];
    expect(await api.call('POST', '/v1/sessions/s/messages', { messages })).toMatchObject({ status: 200 });
    await api.call('PUT', '/v1/sessions/s/pins/rule', { text: planted('pin') });
    const asked = { instructions: planted('instructions') };
    const outcome = await api.call('POST', '/v1/sessions/s/compactions?wait=true', asked);
    expect(outcome.body).toMatchObject({ outcome: 'completed' });
    const large = [{ role: 'user', content: `${planted('large')}${' x'.repeat(1_000_000)}` }];
    await api.call('POST', '/v1/sessions/s/messages', { messages: large });
    const shown = await read('/v1/sessions/s/events');
    for (const place of places) expect(shown).toContain(planted(place));
    for (const place of places) expect([place, await filesWith(data, planted(place))]).toEqual([place, []]);
    // The search finds what is there: the session's name is public.
    await api.call('PATCH', '/v1/sessions/s', { title: planted('title') });
    expect(await filesWith(data, 'session-default.s')).not.toEqual([]);
  } finally {
    await api.stop();
    await rm(data, { recursive: true, force: true });
  }
});
