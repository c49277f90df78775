import { answer } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import { anthropicAt, GPT, MODEL, openAiAt, saying } from './support/clients.js';
import { Outages } from './support/outages.js';
import { startGateway } from './support/start-gateway.js';

const HEADER = 'x-palimpsest-fail-open';

const outages = new Outages();
let whenAsked = (): void => undefined;
const script = () => {
  whenAsked();
  return answer('Good.');
};
const { anthropic, openai, gateway } = await startGateway({
  ...{ anthropic: { script }, store: outages.store, failOpenMs: 30 },
});

/** Guarantee: a conversation goes on while the service cannot record it, and the session is whole afterwards. */
describe('gateway during an outage', () => {
  /** Asks with the official client; `outage` is the header of the answer. */
  const ask = async (session: string, said: string[], isStreamed = false, headers = {}) => {
    anthropic.reply(answer(`Answer to ${said.length}.`));
    const body = { model: MODEL, max_tokens: 500, messages: saying(...said) };
    const { messages } = anthropicAt(gateway, { session, headers });
    const sent = isStreamed ? messages.stream(body) : messages.create(body);
    const { data, response } = await sent.withResponse();
    const message = 'finalMessage' in data ? await data.finalMessage() : data;
    const [block] = message.content;
    const text = block?.type === 'text' ? block.text : '';
    said.push(text);
    return {
      text,
      outage: response.headers.get(HEADER),
      session: response.headers.get('x-palimpsest-session'),
    };
  };
  const textsOf = async (session: string) =>
    (await gateway.exported(session)).map(({ content }) => Object(content)[0].text);
  /** Goes on with a conversation until the gateway records it again. */
  const recovered = async (session: string, said: string[]) => {
    for (;;) {
      said.push(`Question ${said.length}.`);
      const asked = await ask(session, said);
      if (asked.outage === null) return asked;
    }
  };

  it('rejects errors of the request as always', async () => {
    const { messages } = anthropicAt(gateway, {
      session: 'errors',
      headers: { 'x-palimpsest-profile': 'none-such' },
    });
    const asked = messages.create({ model: MODEL, max_tokens: 500, messages: saying('Hello.') });
    await expect(asked).rejects.toMatchObject({ status: 400 });
  });

  it.each([
    ['log', 'failing', false, 'event-store-unavailable'],
    ['log', 'silent', true, 'event-store-unavailable'],
    ['database', 'failing', true, 'postgres-unavailable'],
    ['database', 'silent', false, 'postgres-unavailable'],
  ] as const)(
    'with a %s that is %s (streamed: %s), sends requests unchanged and records them afterwards',
    async (what, state, isStreamed, code) => {
      const session = `${what}-${state}`;
      const said = ['Question 0.'];
      expect(await ask(session, said)).toEqual({ text: 'Answer to 1.', outage: null, session });
      outages.set(what, state);
      const before = gateway.unrecorded.length;
      for (let turn = 0; turn < 3; turn += 1) {
        said.push(`Question ${said.length}.`);
        anthropic.forget();
        const asked = await ask(session, said, isStreamed);
        expect(asked).toEqual({ text: `Answer to ${said.length - 1}.`, outage: code, session: null });
        const messages = saying(...said.slice(0, -1));
        expect(anthropic.requests.map(({ body }) => body)).toMatchObject([{ model: MODEL, messages }]);
      }
      expect(gateway.unrecorded.slice(before)).toEqual([code, code, code]);
      outages.set(what, 'available');
      expect((await recovered(session, said)).session).toBe(session);
      expect(await textsOf(session)).toEqual(said);
    },
  );

  it.each(['log', 'database'] as const)(
    'answers although the %s stops answering while the model does',
    async (what) => {
      const session = `${what}-during-answer`;
      const said = ['Question 0.'];
      whenAsked = () => outages.set(what, 'silent');
      const asked = anthropicAt(gateway, { session }).messages.create({
        ...{ model: MODEL, max_tokens: 500, messages: saying(...said) },
      });
      said.push((await asked).content.map((block) => (block.type === 'text' ? block.text : '')).join(''));
      outages.set(what, 'available');
      expect((await recovered(session, said)).session).toBe(session);
      expect(await textsOf(session)).toEqual(said);
    },
  );

  it('fails where the client asks for it', async () => {
    const said = ['Question 0.'];
    await ask('strict', said);
    outages.set('log', 'failing');
    const strict = ask('strict', [...said, 'Go on.'], false, { [HEADER]: 'off' });
    await expect(strict).rejects.toMatchObject({ status: 503 });
    outages.set('log', 'available');
  });

  it('sends chat completions and responses unchanged', async () => {
    const client = openAiAt(gateway, { session: 'chat' });
    outages.set('log', 'failing');
    openai.reply(answer('One.'), answer('Two.'));
    const messages = [{ role: 'user' as const, content: 'Count.' }];
    const chat = await client.chat.completions.create({ model: GPT, messages }).withResponse();
    expect([chat.data.choices[0]?.message.content, chat.response.headers.get(HEADER)]).toEqual([
      ...['One.', 'event-store-unavailable'],
    ]);
    const response = await client.responses.create({ model: GPT, input: 'Count.' }).withResponse();
    expect([response.data.output_text, response.response.headers.get(HEADER)]).toEqual([
      ...['Two.', 'event-store-unavailable'],
    ]);
    outages.set('log', 'available');
  });
});
