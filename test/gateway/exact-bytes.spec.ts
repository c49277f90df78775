import { answer, call, type RecordedRequest } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import { GPT, MODEL } from './support/clients.js';
import { KEY } from './support/gateway-process.js';
import { startGateway } from './support/start-gateway.js';

const { anthropic, openai, gateway } = await startGateway();

/** Items of the first request, whose body is long enough to be kept for later ones. */
const OPENING = 24;
const WINDOW = 80_000;
/** Above 2^53, as its client writes it. */
const BIG = '18446744073709551616';
/** About 6,000 characters, and half as many more once some are escaped. */
const long = (text: string): string => `${text} ${'Größe/„quoted\\" 😀\t'.repeat(300)}`;

/**
 * Writes JSON as no serializer of this project does: members in reverse order, odd blanks, every second character above ASCII escaped,
 * slashes too, and numbers of any length. Each `style` has other blanks.
 */
const oddly = (value: unknown, style: number): string => {
  const [open = '', between = ',', colon = ':'] =
    [
      [' ', ' ,\n', ' : '],
      ['\n\t', ',', ':  '],
      ['', ',\r\n ', '\t:'],
    ][style % 3] ?? [];
  const write = (one: unknown): string => {
    if (Array.isArray(one)) return `[${open}${one.map(write).join(between)}${open}]`;
    if (typeof one === 'number') return one > 2 ** 53 ? BIG : String(one);
    if (typeof one === 'string') return oddString(one);
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const members = Object.entries(one)
      .filter(([, member]) => member !== undefined)
      .reverse();
    return `{${open}${members.map(([name, member]) => `"${name}"${colon}${write(member)}`).join(between)}}`;
  };
  return write(value);
};
const oddString = (text: string): string => {
  let seen = 0;
  return JSON.stringify(text).replace(/[\u007f-\uffff/]/g, (unit) => {
    seen += 1;
    if (unit === '/') return '\\/';
    // Halves of a pair stay together.
    const isEscaped = /[\ud800-\udfff]/.test(unit) ? text.length % 2 === 0 : seen % 2 === 0;
    return isEscaped ? `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}` : unit;
  });
};

/** A request without the output limit that the gateway adds for an OpenAI model, for which its client names none. */
const withoutLimit = (sent: RecordedRequest | undefined): string =>
  (sent?.text ?? '').replace(/,"max_(?:output|completion)_tokens":\d+(?=\s*\}$)/, '');

type Api = {
  readonly path: string;
  /** The name of the history, and the text of the other members. */
  readonly history: string;
  readonly before: string;
  readonly after: string;
  /** Returns an item with a text of a role. */
  readonly said: (role: string, text: string) => object;
  /** Returns the items of an answer. */
  readonly answered: (body: object) => readonly object[];
  /** Returns the result of a call in those items; `undefined` without one. */
  readonly result: (items: readonly object[], text: string) => object | undefined;
  readonly usesTools: boolean;
};
const member = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce((one: unknown, name) => Object(one)[name], value);
const schema = `{"type" :"object","properties":{"n":{"maximum":${BIG},"type":"number"}}}`;

const APIS: Readonly<Record<string, Api>> = {
  anthropic: {
    path: '/gateway/anthropic/v1/messages',
    history: 'messages',
    before: `{ "max_tokens" : 64,\n "tools":[ {"name":"read", "input_schema":${schema} } ],`,
    after: `, "metadata": {"user_id":"\\u0061-1"},"model":"${MODEL}"\t}`,
    said: (role, text) => ({ role, content: [{ type: 'text', text }] }),
    answered: (body) => [{ role: 'assistant', content: member(body, 'content') }],
    result: (items, text) => {
      const tool_use_id = member(items, 0, 'content', 1, 'id');
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id, content: text }] };
    },
    usesTools: true,
  },
  'chat completions': {
    path: '/gateway/openai/v1/chat/completions',
    history: 'messages',
    before: `{"model":"${GPT}" , "tools" :[{"function":{"parameters":${schema},"name":"read"},"type":"function"}] ,`,
    after: ',"seed": 0 , "temperature":1.0}',
    said: (role, content) => ({ role, content }),
    answered: (body) => [
      {
        ...{ role: 'assistant', content: member(body, 'choices', 0, 'message', 'content') },
        tool_calls: member(body, 'choices', 0, 'message', 'tool_calls'),
      },
    ],
    result: (items, content) => ({
      ...{ role: 'tool', tool_call_id: member(items, 0, 'tool_calls', 0, 'id'), content },
    }),
    usesTools: true,
  },
  responses: {
    path: '/gateway/openai/v1/responses',
    history: 'input',
    // As OpenAI's Agents SDK sends them for an agent without tools.
    before: `{"tools":[],"tool_choice" : "auto","store":false,"model":"${GPT}",`,
    after: ',\n"include":[ ],"temperature":1.0 }',
    said: (role, text) => ({
      ...{ type: 'message', role, content: [{ type: `${role === 'user' ? 'in' : 'out'}put_text`, text }] },
    }),
    answered: (body) => {
      const output = member(body, 'output');
      return Array.isArray(output) ? output : [];
    },
    result: () => undefined,
    usesTools: false,
  },
};

/** Guarantee: a client's provider receives the client's own bytes, also in long histories, of which the gateway parses the end only. */
describe('bytes of a long history', () => {
  // Holds rule 10.1.
  it.each(Object.entries(APIS))(
    'are sent on as they came (%s), also behind a compaction',
    async (name, api) => {
      const session = name.replace(' ', '-');
      const upstream = name === 'anthropic' ? anthropic : openai;
      const raws: string[] = [];
      const add = (...items: readonly object[]): void => {
        for (const item of items) raws.push(oddly(item, raws.length));
      };
      const head = `${api.before} "${api.history}" :\t[ `;
      const tail = ` ]${api.after}`;
      const send = async (): Promise<{
        readonly body: string;
        readonly sent: RecordedRequest | undefined;
      }> => {
        const body = head + raws.join(' , ') + tail;
        const response = await fetch(gateway.url + api.path, {
          method: 'POST',
          headers: {
            ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': session, 'x-api-key': 'p' },
            ...{ 'x-palimpsest-window': String(WINDOW), 'anthropic-version': '2023-06-01' },
            ...{ authorization: 'Bearer p', 'content-type': 'application/json' },
          },
          body,
        });
        const answered = api.answered(Object(await response.json()));
        expect([response.status, response.headers.get('x-palimpsest-session')]).toEqual([200, session]);
        add(...answered);
        const result = api.usesTools ? api.result(answered, long(`Result ${raws.length}.`)) : undefined;
        add(result ?? api.said('user', long(`Go on ${raws.length}.`)));
        return { body, sent: upstream.requests.findLast(({ text }) => text.includes(api.history)) };
      };
      const reply = () =>
        api.usesTools ? answer('Für „n“.', call('read', { n: 2 ** 64, half: 0.5 })) : answer('Für „n“.');

      for (let at = 0; at < OPENING; at += 1)
        add(api.said(at % 2 ? 'assistant' : 'user', long(`Item ${at}.`)));
      add(api.said('user', 'And now?'));
      let untouched = 0;
      const isCompacted = async () => (await gateway.types(session)).includes('CompactionRequested');
      for (; !(await isCompacted()); untouched += 1) {
        upstream.reply(reply());
        const { body, sent } = await send();
        expect(body.length).toBeGreaterThan(200_000);
        expect(withoutLimit(sent) === body).toBe(true);
      }
      expect(untouched).toBeGreaterThanOrEqual(3);
      await gateway.recorded(session, 'CompactionApplied');

      for (let turn = 0; turn < 3; turn += 1) {
        upstream.reply(reply());
        const all = [...raws];
        const { sent } = await send();
        const text = withoutLimit(sent);
        // Between the client's own members: a summary, and the client's own items behind the cut.
        const [start, end] = [`${head.slice(0, -2)}[`, `]${api.after}`];
        expect([text.startsWith(start), text.endsWith(end)]).toEqual([true, true]);
        const history = text.slice(start.length, -end.length);
        const retained = all.filter((raw) => history.includes(raw));
        expect(retained.length).toBeGreaterThanOrEqual(turn === 0 ? 2 : 4);
        expect(retained).toEqual(all.slice(-retained.length));
        expect(history.endsWith(`,${retained.join(',')}`)).toBe(true);
        const opening: unknown = JSON.parse(`[${history.slice(0, -retained.join(',').length - 1)}]`);
        expect(JSON.stringify(opening)).toContain('<conversation-record ');
        expect(history.length).toBeLessThan(all.join(',').length / 2);
      }
    },
  );
});
