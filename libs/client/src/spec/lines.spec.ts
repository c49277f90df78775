import { afterEach, describe, expect, it } from '@jest/globals';
import { PalimpsestClient } from '../client.js';
import { PalimpsestError } from '../transport/errors.js';
import { type Reaction, ScriptedServer } from './scripted-server.js';

const servers: ScriptedServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

const against = async (reaction: Reaction): Promise<PalimpsestClient> => {
  const server = await ScriptedServer.start(reaction);
  servers.push(server);
  return new PalimpsestClient({ url: server.url, apiKey: 'pal_key' });
};
const rows = Array.from({ length: 3 }, (_, at) => `${JSON.stringify({ position: String(at) })}\n`);

/** Hands out text, and then cuts the connection. */
const cutAfter =
  (text: string): Reaction =>
  (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .write(text, () => response.destroy());

/** Lines of an export, and its end. */
const taken = async <Item>(items: AsyncIterable<Item>) => {
  const found: Item[] = [];
  try {
    for await (const item of items) found.push(item);
  } catch (error) {
    return { found, error };
  }
  return { found, error: undefined };
};

describe('an export', () => {
  it.each([
    ['between two lines', rows.join(''), 3],
    ['within a line', `${rows.join('')}{"posi`, 3],
    ['before the first line', '{', 0],
  ])('fails after the received messages if its connection is cut %s', async (_, text, count) => {
    const client = await against(cutAfter(text));
    const { found, error } = await taken(client.audit.export());
    expect(found.map(({ position }) => position)).toEqual(['0', '1', '2'].slice(0, count));
    expect(error).toBeInstanceOf(PalimpsestError);
    expect(error).toMatchObject({ code: 'service-unreachable' });
    const { error: ofCsv } = await taken(client.audit.exportCsv());
    expect(ofCsv).toMatchObject({ code: 'service-unreachable' });
  });

  it('ends with its last line, with or without a line end', async () => {
    const client = await against((response) => void response.end(rows.join('').trimEnd()));
    const { found, error } = await taken(client.audit.export());
    expect([found.length, error]).toEqual([3, undefined]);
  });

  it('closes the connection when the caller stops reading', async () => {
    let cut: () => void = () => {};
    const isCut = new Promise<void>((resolve) => {
      cut = resolve;
    });
    const client = await against((response) => {
      response.on('close', cut).writeHead(200).write(rows.join(''));
    });
    for await (const { position } of client.audit.export()) if (position === '1') break;
    await isCut;
  });
});
