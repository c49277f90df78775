import { ADMIN_KEY, type Service } from '../load/service.js';

const MIB = 1_048_576;

/** Bodies within every limit that cost a process the most, by description. */
const bodies = (): ReadonlyMap<string, object> =>
  new Map([
    ['a message of 8 MB', { messages: [{ role: 'user', content: 'word '.repeat((8 * MIB) / 5 - 100) }] }],
    [
      '1,000 messages of 4 KB',
      {
        messages: Array.from({ length: 1_000 }, (_, at) => ({
          role: at % 2 === 0 ? 'user' : 'assistant',
          content: `Message ${at}: ${'some words '.repeat(360)}`,
        })),
      },
    ],
    [
      'a call with 90,000 numbers',
      {
        messages: [
          {
            role: 'assistant',
            content: [
              {
                type: 'tool_use',
                id: 'c',
                name: 't',
                input: { n: Array.from({ length: 90_000 }, () => 1e9) },
              },
            ],
          },
        ],
      },
    ],
  ]);

export type Worst = {
  readonly what: string;
  readonly status: number;
  readonly loopMs: number;
  readonly ms: number;
};

/** Sends each of the heaviest legal requests alone, and returns the longest block of the event loop. Milliseconds. */
export const worstLegal = async (service: Service): Promise<readonly Worst[]> => {
  const post = async (path: string, body: string): Promise<number> => {
    const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
    const answer = await fetch(`${service.url}${path}`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  const found: Worst[] = [];
  for (const [what, body] of bodies()) {
    const session = `worst-${found.length}`;
    await post('/v1/sessions', JSON.stringify({ session, window: 0 }));
    const text = JSON.stringify(body);
    await service.watchLoop();
    const began = performance.now();
    const status = await post(`/v1/sessions/${session}/messages`, text);
    const ms = performance.now() - began;
    found.push({ what, status, loopMs: (await service.watchLoop()).maxMs, ms });
  }
  return found;
};
