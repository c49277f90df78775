import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readModels } from '@app/adapters/models-file';
import { findModel } from '@app/domain';
import { parseConfig } from '../../config.js';
import { refreshModels } from './refresh-models.js';

const KEY = 'sk-planted-secret';
const folder = mkdtempSync(join(tmpdir(), 'refresh-'));
let server: Server;
/** Answers as Anthropic does, page by page. */
const pages = [
  [
    {
      id: 'claude-opus-4-5-20251101',
      max_input_tokens: 300_000,
      max_tokens: 70_000,
      lifecycle: 'deprecated',
    },
    { id: 'claude-opus-9', max_input_tokens: 2_000_000, max_tokens: 256_000, lifecycle: 'active' },
  ],
  [{ id: 'claude-quiet', max_input_tokens: null, max_tokens: null, lifecycle: 'active' }],
] as const;
const asked: (string | undefined)[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers.authorization ?? request.headers['x-api-key']?.toString());
    const isKnown = asked.at(-1)?.includes(KEY) ?? false;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const isSecond = request.url?.includes('after_id=') ?? false;
    const data = pages[isSecond ? 1 : 0].map((model) => ({ type: 'model', ...model }));
    const error = { type: 'error', error: { type: 'authentication_error', message: `no such key ${KEY}` } };
    const page = { data, has_more: !isSecond, first_id: data[0]?.id, last_id: data.at(-1)?.id };
    response.end(JSON.stringify(isKnown ? page : error));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});
const configWith = (key: string | undefined, data: string) => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return parseConfig({
    PALIMPSEST_DATA: join(folder, data),
    PALIMPSEST_ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    PALIMPSEST_ANTHROPIC_API_KEY: key,
  });
};

describe('refreshing the models of a provider', () => {
  it('stores the answer in the data folder and keeps the built-in prices', async () => {
    const { path, models } = await refreshModels(configWith(KEY, 'known'));
    expect(models.map(({ id }) => id)).toEqual(['claude-opus-4-5', 'claude-opus-9', 'claude-quiet']);
    const catalog = readModels({ refreshed: path });
    const known = findModel(catalog, 'claude-opus-4-5-20251101')?.record;
    expect(known).toMatchObject({ window: 300_000, outputMax: 70_000, origin: 'refreshed' });
    expect(known?.prices).toEqual(findModel(readModels(), 'claude-opus-4-5')?.record.prices);
    expect(findModel(catalog, 'claude-opus-9')?.record).toMatchObject({ window: 2_000_000, prices: [] });
    expect(findModel(catalog, 'claude-quiet')).toBeUndefined(); // Without a window there is nothing to go by.
    expect(readFileSync(path, 'utf8')).not.toContain(KEY);
  });
  it('changes nothing with a wrong key and reports only the status', async () => {
    const config = configWith('another', 'unknown');
    const refused = refreshModels(config);
    await expect(refused).rejects.toMatchObject({
      code: 'models-unavailable',
      message: expect.stringContaining('(401)'),
    });
    await refused.catch((error: unknown) => expect(String(error)).not.toContain(KEY));
    expect(() => readFileSync(join(config.PALIMPSEST_DATA, 'models.json'))).toThrow();
  });
  it('requires a key', () =>
    expect(refreshModels(configWith(undefined, 'keyless'))).rejects.toMatchObject({
      code: 'invalid-configuration',
    }));
});
