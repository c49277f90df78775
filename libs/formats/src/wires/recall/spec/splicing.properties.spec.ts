import { type WireName, wireOf } from '@app/formats';
import fc from 'fast-check';
import { framesOf } from '../frames.js';

const data = (value: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string }): string => data(value, value.type);

/** Text and a call in the events of each API; a call of `recall_history` is the gateway's. */
const BLOCKS: Readonly<Record<WireName, (name: string, at: number) => string>> = {
  anthropic: (name, at) =>
    [
      named({
        type: 'content_block_start',
        ...{ index: at, content_block: { type: 'tool_use', id: `c${at}`, name, input: {} } },
      }),
      named({
        type: 'content_block_delta',
        ...{ index: at, delta: { type: 'input_json_delta', partial_json: '{"ä":"😀"}' } },
      }),
      named({ type: 'content_block_stop', ...{ index: at } }),
    ].join(''),
  'openai-chat': (name, at) => {
    const chunk = (call: object) =>
      data({
        id: 'x',
        choices: [{ index: 0, delta: { tool_calls: [{ index: at, ...call }] }, finish_reason: null }],
      });
    return (
      chunk({ id: `c${at}`, type: 'function', function: { name, arguments: '' } }) +
      chunk({ function: { arguments: '{"ä":"😀"}' } })
    );
  },
  'openai-responses': (name, at) => {
    const item = { type: 'function_call', id: `f${at}`, call_id: `c${at}`, name, arguments: '{"ä":"😀"}' };
    return (
      named({
        type: 'response.output_item.added',
        ...{ output_index: at, item: { ...item, arguments: '' } },
      }) + named({ type: 'response.output_item.done', ...{ output_index: at, item } })
    );
  },
};
const AROUND: Readonly<Record<WireName, readonly [string, (names: readonly string[]) => string]>> = {
  anthropic: [
    named({
      type: 'message_start',
      ...{ message: { type: 'message', role: 'assistant', content: [], usage: { output_tokens: 1 } } },
    }),
    (names) =>
      named({
        type: 'message_delta',
        ...{
          delta: { stop_reason: names.length > 0 ? 'tool_use' : 'end_turn' },
          usage: { output_tokens: 5 },
        },
      }) + named({ type: 'message_stop' }),
  ],
  'openai-chat': [
    data({
      id: 'x',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    }),
    (names) =>
      `${data({
        id: 'x',
        choices: [{ index: 0, delta: {}, finish_reason: names.length > 0 ? 'tool_calls' : 'stop' }],
      })}data: [DONE]\n\n`,
  ],
  'openai-responses': [
    named({ type: 'response.created', ...{ response: { id: 'r', output: [] } } }),
    () =>
      named({
        type: 'response.completed',
        ...{ response: { id: 'r', status: 'completed', output: [], usage: { output_tokens: 5 } } },
      }),
  ],
};
const WIRES: readonly WireName[] = ['anthropic', 'openai-chat', 'openai-responses'];
const streamOf = (wire: WireName, names: readonly string[]): string =>
  AROUND[wire][0] + names.map((name, at) => BLOCKS[wire](name, at)).join('') + AROUND[wire][1](names);

/** A stream in pieces that end anywhere, characters too. */
async function* cut(text: string, places: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  const ends = [...new Set(places.map((place) => place % bytes.length)), bytes.length].sort((a, b) => a - b);
  let from = 0;
  for (const end of ends) {
    yield bytes.subarray(from, end);
    from = end;
  }
}

const spliced = async (
  wire: WireName,
  rounds: readonly string[],
  places: readonly number[],
): Promise<string> => {
  const splicer = wireOf(wire).recall.stream();
  let told = '';
  for (const [at, round] of rounds.entries()) {
    for await (const frame of framesOf(cut(round, places))) told += splicer.take(frame);
    told += at === rounds.length - 1 ? splicer.end() : splicer.next();
  }
  return told;
};
const callsIn = (wire: WireName, stream: string): readonly unknown[] =>
  (wireOf(wire).answerOf(stream)?.blocks ?? []).flatMap((block) =>
    block.type === 'tool_use' ? [block.name] : [],
  );

const places = fc.array(fc.nat(5_000), { maxLength: 12 });
const own = fc.array(fc.constantFrom('read', 'write'), { maxLength: 4 });
const mixed = fc.array(fc.constantFrom('read', 'write', 'recall_history'), { maxLength: 5 });

describe.each(WIRES)('a stream of %s in which the gateway answers recall calls', (wire) => {
  it('is passed on byte for byte without such calls, at any chunk boundary', () =>
    fc.assert(
      fc.asyncProperty(own, places, async (names, at) => {
        const stream = streamOf(wire, names);
        expect(await spliced(wire, [stream], at)).toBe(stream);
      }),
    ));

  it('merges all rounds into one answer with the client’s calls only, in order', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(3), mixed, places, async (earlier, last, at) => {
        const rounds = [...Array.from({ length: earlier }, () => ['recall_history']), last];
        const told = await spliced(
          wire,
          rounds.map((names) => streamOf(wire, names)),
          at,
        );
        expect(callsIn(wire, told)).toEqual(last.filter((name) => name !== 'recall_history'));
        expect(told).not.toContain('recall_history');
        const answer = wireOf(wire).answerOf(told);
        expect(answer?.endsTurn).toBe(last.every((name) => name === 'recall_history'));
      }),
    ));
});
