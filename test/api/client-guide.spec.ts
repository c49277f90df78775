import { readFileSync } from 'node:fs';
import { answerFromAnthropic, PalimpsestClient, refusalIn } from '@app/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from './support/api-server.js';

const GUIDE = readFileSync(new URL('../../docs/guides/api.md', import.meta.url), 'utf8');
const EXAMPLES = [...GUIDE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);

type Names = Readonly<Record<string, unknown>>;
/** Runs the examples in order as one program: later ones use declarations of earlier ones. */
const run = async (names: Names): Promise<void> => {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await AsyncFunction(...Object.keys(names), EXAMPLES.join('\n'))(...Object.values(names));
};

/** Guarantee: the examples of the client's guide are a working program. */
describe('examples of the client’s guide', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
  });
  afterAll(async () => {
    expect(await api.stop()).toBe(0);
  });

  it('run against the service from first to last', async () => {
    expect(EXAMPLES).toHaveLength(5);
    const requests: unknown[] = [];
    const answer = {
      ...{ id: 'msg_1', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'It has no tests.' }],
      usage: { input_tokens: 20, output_tokens: 6 },
    };
    const create = async (request: unknown) => {
      requests.push(request);
      return answer;
    };
    const said: (readonly unknown[])[] = [];
    const stop = new AbortController();
    const names = {
      ...{ PalimpsestClient, answerFromAnthropic, refusalIn, url: api.url, apiKey: KEY },
      ...{ anthropic: { messages: { create } }, signal: stop.signal, lastEventId: '0' },
      console: {
        log: (...words: readonly unknown[]) => {
          said.push(words);
          if (words.includes('TurnCompleted')) stop.abort(new Error('enough'));
        },
      },
    };
    await expect(run(names)).rejects.toThrow('enough');
    expect(requests).toMatchObject([
      { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: expect.anything() }] },
    ]);
    expect(said.map((words) => words[1])).toEqual(
      expect.arrayContaining([answer.content, 'SessionOpened', 'MessageAppended', 'TurnCompleted']),
    );
  });
});
