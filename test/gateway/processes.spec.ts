import { ChangeSettings, CloseSession } from '@app/application';
import { Actor } from '@app/kernel';
import { AnthropicServer, answer, OpenAiServer, thinking } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from '@nestjs/cqrs';
import { anthropicAt, ask, GPT, openAiAt, saying } from './support/clients.js';
import { GatewayProcess, type GatewayStore, openStore, refOf } from './support/gateway-process.js';

/** Guarantee: any process can serve any request of a session. */
describe('session on several processes', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let store: GatewayStore;
  let one: GatewayProcess;
  let other: GatewayProcess;
  const start = (on: GatewayStore): Promise<GatewayProcess> =>
    GatewayProcess.start({ store: on, anthropic: [anthropic.url], openai: [`${openai.url}/v1`] });
  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    store = openStore();
    [one, other] = [await start(store), await start(store)];
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    await Promise.all([anthropic.close(), openai.close()]);
  });

  // Holds rule 10.15.
  it.each<[string, string | undefined]>([
    ['by its name', 'by-name'],
    ['by its history only', undefined],
  ])('is found %s by a process that has not seen it, turn by turn', async (_, session) => {
    const options = session === undefined ? {} : { session };
    const said: string[] = [];
    const sessions = new Set<string>();
    for (let turn = 0; turn < 6; turn += 1) {
      anthropic.reply(answer(`Answer ${turn} of ${session}.`));
      said.push(`Question ${turn} of ${session}.`);
      const asked = await ask(anthropicAt(turn % 2 ? other : one, options), saying(...said));
      said.push(asked.text);
      sessions.add(asked.session);
    }
    expect([...sessions]).toHaveLength(1);
    const [found = ''] = sessions;
    expect((await one.exported(found)).map(({ content }) => Object(content)[0].text)).toEqual(said);
  });

  // Holds rule 10.15.
  it('is found after all processes have ended, with its summary in force', async () => {
    const on = openStore();
    const before = await start(on);
    const filler = (at: number) => `Said ${at}. ${'All is well with the parser. '.repeat(40)}`;
    const history = Array.from({ length: 19 }, (_, at) => filler(at));
    anthropic.reply(answer('One.'));
    const window = 6_500;
    const first = await ask(anthropicAt(before, { window }), saying(...history));
    await before.recorded(first.session, 'CompactionApplied');
    await before.close();
    const after = await start(on);
    anthropic.forget();
    const second = await ask(anthropicAt(after, { window }), saying(...history, 'One.', 'And two?'));
    expect(second.session).toBe(first.session);
    expect(await after.exported(first.session)).toHaveLength(22);
    expect(anthropic.requests[0]?.text).not.toContain('Said 3.');
    expect(anthropic.requests[0]?.text).toContain('And two?');
    await after.close();
  });

  // Holds rule 10.16.
  it('continues in one process from a response of the other, by its id only', async () => {
    openai.reply(answer(thinking('Hm.'), 'One.'), answer('Two.'));
    const first = await openAiAt(one).responses.create({ model: GPT, input: 'Count.' });
    const asked = { model: GPT, input: 'Go on.', previous_response_id: first.id };
    const second = await openAiAt(other).responses.create(asked).withResponse();
    expect(second.data.output_text).toBe('Two.');
    expect(await one.exported(second.response.headers.get('x-palimpsest-session') ?? '')).toHaveLength(4);
  });

  // Holds rule 10.15.
  it('continues one of two concurrent requests to different processes, and a fork has the other answer', async () => {
    const client = { session: 'raced' };
    anthropic.reply(answer('One.'));
    await ask(anthropicAt(one, client), saying('Count.'));
    anthropic.reply(answer('Two.'), answer('Two, too.'));
    const both = await Promise.all(
      [one, other].map((at) => ask(anthropicAt(at, client), saying('Count.', 'One.', 'Go on.'))),
    );
    expect(both.map(({ text }) => text).sort()).toEqual(['Two, too.', 'Two.']);
    expect(await one.exported('raced')).toHaveLength(4);
    // The client continues in the session of the answer that it chose.
    for (const { text } of both) {
      anthropic.reply(answer('Three.'));
      const next = await ask(anthropicAt(one, client), saying('Count.', 'One.', 'Go on.', text, 'And?'));
      const exported = await other.exported(next.session);
      expect(exported.map(({ content }) => Object(content)[0].text)).toEqual([
        ...['Count.', 'One.', 'Go on.', text, 'And?', 'Three.'],
      ]);
    }
  });

  describe('that another process has changed since', () => {
    const window = 50_000;
    const changed = async (session: string, command: Command<unknown>) => {
      anthropic.reply(answer('One.'));
      await ask(anthropicAt(one, { session, window }), saying('Count.'));
      await other.commands.execute(command);
      anthropic.reply(answer('Two.'));
      return ask(anthropicAt(one, { session, window }), saying('Count.', 'One.', 'Go on.'));
    };
    const caller = { actor: Actor('operator') };

    it('has the window that the client asks for', async () => {
      const next = await changed('window', new ChangeSettings(refOf('window'), { window: 60_000 }, caller));
      expect(next.session).toBe('window');
      const windows = (await one.events('window')).flatMap((event) =>
        event.type === 'SettingsChanged' ? [event.data.limits.window] : [],
      );
      expect(windows).toEqual([60_000, window]);
      expect(await one.exported('window')).toHaveLength(4);
    });

    it('continues in another session if it was closed', async () => {
      const next = await changed('closed', new CloseSession(refOf('closed'), 'Done.', caller));
      expect(next.session).not.toBe('closed');
      expect(await one.exported('closed')).toHaveLength(2);
      expect(await one.exported(next.session)).toHaveLength(4);
    });
  });

  it('starts over with its whole history if the conversation index was lost', async () => {
    anthropic.reply(answer('One.'));
    const first = await ask(anthropicAt(one), saying('Lost?'));
    const lost = await start({ ...store, conversations: openStore().conversations });
    anthropic.reply(answer('Two.'));
    const second = await ask(anthropicAt(lost), saying('Lost?', 'One.', 'Go on.'));
    expect(second.session).not.toBe(first.session);
    expect(await lost.exported(second.session)).toHaveLength(4);
    await lost.close();
  });
});
