import { type Message, PalimpsestClient, type PalimpsestError } from '@app/client';
import { startEmbedded } from '@app/deployments';
import { SessionMirror } from '@app/framework-adapters';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { noOutages } from '../../libs/framework-adapters/src/core/outage.js';
import { groupsOf, messagesOf } from '../../libs/framework-adapters/src/messages/openai-agents.js';
import { palimpsest } from '../../libs/framework-adapters/src/vercel-ai.js';

const said = (content: string): Message => ({ role: 'user', content });
const answered = (content: string): Message => ({ role: 'assistant', content });
const HISTORY = [said('One.'), answered('1'), said('Two.')];

describe('mirror of a session', () => {
  let service: Awaited<ReturnType<typeof startEmbedded>>;
  let client: PalimpsestClient;
  beforeAll(async () => {
    service = await startEmbedded();
    client = new PalimpsestClient({ url: service.url, apiKey: service.adminKey });
  });
  afterAll(() => service.stop());

  const mirrorOf = (session: string, more: object = {}) =>
    new SessionMirror({ session, url: service.url, apiKey: service.adminKey, window: 32_000, ...more });
  const textsOf = async (session: string) => {
    const texts = [];
    for await (const { content } of client.sessions.export(session)) texts.push(Object(content[0]).text);
    return texts;
  };

  const timesOf = async (session: string) => {
    const times = [];
    for await (const { id } of client.sessions.export(session)) {
      const { createdAt, recordedAt } = await client.sessions.message(session, id ?? '');
      times.push({ createdAt, recordedAt });
    }
    return times;
  };

  it('hands over the own messages, and binds the bill to its request', async () => {
    const mirror = mirrorOf('own');
    const context = await mirror.prepare({ history: HISTORY });
    expect(context?.messages).toEqual([{ own: 0 }, { own: 1 }, { own: 2 }]);
    const usage = { inputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
    await mirror.record({ history: HISTORY }, { messages: [answered('2')], usage }, context);
    // An answer that does not end its turn goes with the next request, or soon without one.
    expect(await mirror.flush()).toBe(true);
    expect(await textsOf('own')).toEqual(['One.', '1', 'Two.', '2']);
    const bills = [];
    for await (const { type, data } of client.sessions.events('own'))
      if (type === 'UsageReported') bills.push(data.requestId);
    expect(bills).toEqual([context?.requestId]);
  });

  it('keeps the length of an answer that the AI SDK asks for, as long as it fits', async () => {
    const access = { url: service.url, apiKey: service.adminKey };
    const { transformParams } = palimpsest({ ...access, session: 'lengths', window: 32_000 });
    const lengthFor = async (maxOutputTokens?: number) => {
      const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }];
      const given = { params: { prompt, maxOutputTokens }, model: { modelId: 'any' } };
      return (await transformParams(given)).maxOutputTokens;
    };
    expect(await lengthFor()).toBeUndefined();
    expect(await lengthFor(20_000)).toBe(20_000);
    const room = Number(await lengthFor(64_000));
    expect(room).toBeGreaterThan(20_000);
    expect(room).toBeLessThan(32_000);
  });

  it('hands over the own items of parallel calls of the OpenAI Agents SDK', async () => {
    const called = (callId: string) => ({
      ...{ type: 'function_call', callId, name: 'read', arguments: '{}', status: 'completed' },
    });
    const returned = (callId: string) => ({
      type: 'function_call_result',
      callId,
      name: 'read',
      output: callId,
    });
    const reasoning = { type: 'reasoning', content: [] };
    const asked = { role: 'user' as const, content: 'Read both.' };
    const items = [asked, reasoning, called('a'), reasoning, called('b'), returned('a'), returned('b')];
    const history = groupsOf(items).flatMap(messagesOf);
    const context = await mirrorOf('parallel').prepare({ history });
    expect(context?.messages).toEqual([{ own: 0 }, { own: 1 }, { own: 2 }, { own: 3 }]);
  });

  it('hands over calls under the IDs and names that the agent gave them, unless two have the same', async () => {
    const called = (id: string): Message => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'files.read', input: {} }],
    });
    const returned = (id: string, content: string): Message => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content }],
    });
    const history = [
      said('Read.'),
      called('call_1|fc_1'),
      returned('call_1|fc_1', 'a'),
      called('call_2|fc_2'),
    ];
    const context = await mirrorOf('named').prepare({
      history: [...history, returned('call_2|fc_2', ''), said('Go on.')],
    });
    // No provider accepts an empty result.
    const empty = returned('call_2|fc_2', '(no output)').content;
    expect(context?.messages).toEqual([
      ...[{ own: 0 }, { own: 1 }, { own: 2 }, { own: 3 }],
      ...[{ message: { role: 'user', content: empty } }, { own: 5 }],
    ]);
    const twice = await mirrorOf('twice').prepare({
      history: [...history.slice(0, 3), called('call_1|fc_1'), returned('call_1|fc_1', 'b')],
    });
    const named = JSON.stringify(twice?.messages).match(/call_1_fc_1[_0-9]*/g);
    expect(named).toEqual(['call_1_fc_1', 'call_1_fc_1', 'call_1_fc_1_2', 'call_1_fc_1_2']);
  });

  it('continues the session of an earlier process, and appends nothing twice', async () => {
    await mirrorOf('again').prepare({ history: HISTORY });
    await mirrorOf('again').prepare({ history: [...HISTORY, answered('2'), said('Three.')] });
    expect(await textsOf('again')).toEqual(['One.', '1', 'Two.', '2', 'Three.']);
  });

  it('continues an edited history in a fork, which a later process finds again', async () => {
    const edited = [said('One.'), answered('1'), said('Two, but shorter.')];
    const mirror = mirrorOf('edited');
    await mirror.prepare({ history: [...HISTORY, answered('2')] });
    const fork = (await mirror.prepare({ history: edited }))?.session ?? '';
    expect(await textsOf('edited')).toEqual(['One.', '1', 'Two.', '2']);
    expect(await textsOf(fork)).toEqual(['One.', '1', 'Two, but shorter.']);
    const later = await mirrorOf('edited').prepare({ history: [...edited, answered('ok'), said('Go on.')] });
    expect(later?.session).toBe(fork);
    expect(await textsOf(fork)).toEqual(['One.', '1', 'Two, but shorter.', 'ok', 'Go on.']);
  });

  it('sees what an agent changes in place, by the text alone', async () => {
    const block = { type: 'text', text: 'Two.' };
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 's' };
    const history: readonly Message[] = [
      said('One.'),
      { role: 'assistant', content: [thought, { type: 'text', text: '1' }] },
      { role: 'user', content: [block] },
    ];
    const mirror = mirrorOf('in-place');
    await mirror.prepare({ history });
    thought.thinking = 'Well.';
    expect((await mirror.prepare({ history }))?.session).toBe('in-place');
    block.text = 'Two, but shorter.';
    const fork = (await mirror.prepare({ history }))?.session ?? '';
    expect(fork).toBe('in-place.2');
    expect((await textsOf(fork)).at(-1)).toBe('Two, but shorter.');
  });

  it('knows a history by its messages alone, erased ones by their roles', async () => {
    const cut = 'the tool cut here \ud83d';
    const call = { type: 'tool_use', id: 'c1', name: 'look', input: { at: 'a' } } as const;
    const result = {
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [{ type: 'text', text: cut }],
    } as const;
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const history: readonly Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'See.' }, image] },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ];
    await mirrorOf('known').prepare({ history });
    const idsOf = async () => {
      const ids = [];
      for await (const { id } of client.sessions.export('known')) ids.push(id);
      return ids;
    };
    const ids = await idsOf();
    // Nothing about the content can be told from an ID.
    await mirrorOf('same').prepare({ history });
    for await (const { id } of client.sessions.export('same')) expect(ids).not.toContain(id);
    await client.erasures.request({ session: 'known', reason: 'asked for' });
    const longer = [...history, answered('Seen.'), said('Go on.')];
    expect((await mirrorOf('known').prepare({ history: longer }))?.session).toBe('known');
    expect((await idsOf()).slice(0, 3)).toEqual(ids);
    expect(await textsOf('known')).toEqual(['[erased]', undefined, undefined, 'Seen.', 'Go on.']);
  });

  it('records once what two processes append to one session, in turns and at once', async () => {
    const [one, other] = [mirrorOf('shared'), mirrorOf('shared')];
    const begun = [said('One.')];
    await Promise.all([one.prepare({ history: begun }), other.prepare({ history: begun })]);
    const longer = [...begun, answered('1'), said('Two.')];
    await other.prepare({ history: longer });
    const longest = [...longer, answered('2'), said('Three.')];
    expect((await one.prepare({ history: longest }))?.session).toBe('shared');
    expect((await other.prepare({ history: [...longest, answered('3')] }))?.session).toBe('shared');
    expect(await textsOf('shared')).toEqual(['One.', '1', 'Two.', '2', 'Three.', '3']);
  });

  it.each([
    ['edit', [said('One.'), answered('1'), said('Two.')], ['parted.2', 'parted.3']],
    ['continue', [said('One.'), answered('1')], ['continued', 'continued.2']],
  ])('keeps two processes apart that %s one history differently at once', async (_, begun, sessions) => {
    const session = sessions[0]?.split('.')[0] ?? '';
    // Both have found the same session before either of them appends to it.
    let waiting = 0;
    let go = (): void => {};
    const found = new Promise<void>((resolve) => {
      go = resolve;
    });
    const meeting: typeof fetch = async (input, init) => {
      if (String(input).endsWith(`/${sessions[0]}/append-and-compose`)) {
        waiting += 1;
        if (waiting === 4) go();
        if (waiting > 2) await found;
      }
      return fetch(input, init);
    };
    const processOf = () =>
      mirrorOf(session, {
        client: new PalimpsestClient({
          ...{ url: service.url, apiKey: service.adminKey, retries: 0, fetch: meeting },
        }),
      });
    const [one, other] = [processOf(), processOf()];
    if (session === 'parted') waiting = 2;
    for (const mirror of [one, other]) await mirror.prepare({ history: begun });
    const ended = (text: string) => [said('One.'), answered('1'), said(text)];
    const contexts = await Promise.all([
      one.prepare({ history: ended('Then one.') }),
      other.prepare({ history: ended('Then other.') }),
    ]);
    expect(contexts.map((context) => context?.session).toSorted()).toEqual(sessions);
    const texts = await Promise.all(contexts.map((context) => textsOf(context?.session ?? '')));
    expect(texts).toEqual([
      ['One.', '1', 'Then one.'],
      ['One.', '1', 'Then other.'],
    ]);
    // The histories go on where they are.
    const more = [...ended('Then one.'), answered('ok'), said('Go on.')];
    expect((await one.prepare({ history: more }))?.session).toBe(contexts[0]?.session);
    const composed = await other.prepare({ history: ended('Then other.') });
    expect(composed?.messages).toEqual([{ own: 0 }, { own: 1 }, { own: 2 }]);
  });

  it('continues a history that was edited behind a compaction, and finds it again', async () => {
    const page = (turn: number): string => `Page ${turn}. ${'It was dry at the station. '.repeat(300)}`;
    const mirror = mirrorOf('compacted', { window: 16_000 });
    const history: Message[] = [];
    for (let turn = 1; turn <= 16; turn += 1) {
      history.push(said(page(turn)));
      await mirror.prepare({ history });
      history.push(answered(`Turn ${turn} is done.`));
    }
    expect((await client.sessions.get('compacted')).compactions).toBeGreaterThan(1);
    const edited = [...history.slice(0, -2), said('And now?')];
    expect((await mirror.prepare({ history: edited }))?.session).toBe('compacted.2');
    const longer = [...edited, answered('Now too.'), said('Go on.')];
    const context = await mirror.prepare({ history: longer });
    expect(context?.session).toBe('compacted.2');
    expect(context?.messages.slice(-3)).toEqual([30, 31, 32].map((own) => ({ own })));
    const texts = await textsOf('compacted.2');
    expect(texts.length).toBeLessThan(longer.length);
    expect(texts.slice(-3)).toEqual(['And now?', 'Now too.', 'Go on.']);
    const later = mirrorOf('compacted', { window: 16_000 });
    expect((await later.prepare({ history: [...longer, answered('On.')] }))?.session).toBe('compacted.2');
  });

  it('takes no new message for an erased one, and knows the messages of an earlier key', async () => {
    await mirrorOf('reused').prepare({ history: HISTORY });
    await client.erasures.request({ session: 'reused', reason: 'asked for' });
    const fresh = [said('A new beginning.')];
    const session = (await mirrorOf('reused').prepare({ history: fresh }))?.session ?? '';
    expect(await textsOf(session)).toEqual(['A new beginning.']);

    const { key: apiKey } = await client.keys.issue({ role: 'agent' });
    const longer = [...HISTORY, answered('2')];
    await mirrorOf('rotated').prepare({ history: HISTORY });
    expect((await mirrorOf('rotated', { apiKey }).prepare({ history: longer }))?.session).toBe('rotated');
    expect(await textsOf('rotated')).toEqual(['One.', '1', 'Two.', '2']);
  });

  it('finds each of several forks of a session again', async () => {
    const forks = [['a'], ['a', 'b'], ['b']].map((more) => [
      said('One.'),
      ...more.map(answered),
      said('End.'),
    ]);
    const mirror = mirrorOf('several');
    await mirror.prepare({ history: [said('One.'), answered('1')] });
    const sessions = [];
    for (const history of forks) sessions.push((await mirror.prepare({ history }))?.session);
    expect(sessions).toEqual(['several.2', 'several.3', 'several.4']);
    const later = mirrorOf('several');
    for (const [at, history] of forks.toReversed().entries()) {
      const context = await later.prepare({ history: [...history, answered('Ended.')] });
      expect(context?.session).toBe(sessions.toReversed()[at]);
    }
  });

  it('appends everything once the service appears that was never started before', async () => {
    let isUp = false;
    const problems: PalimpsestError[] = [];
    const mirror = new SessionMirror({
      session: 'late',
      onProblem: (problem) => void problems.push(problem),
      client: new PalimpsestClient({
        ...{ url: service.url, apiKey: service.adminKey, retries: 0 },
        fetch: (...request) => (isUp ? fetch(...request) : Promise.reject(new TypeError('fetch failed'))),
      }),
    });
    expect(await mirror.prepare({ history: HISTORY })).toBeUndefined();
    await mirror.record({ history: HISTORY }, { messages: [answered('2')] });
    expect(await mirror.flush()).toBe(false);
    isUp = true;
    expect(await mirror.flush()).toBe(true);
    expect(await textsOf('late')).toEqual(['One.', '1', 'Two.', '2']);
    const times = await timesOf('late');
    expect(
      times.map(({ createdAt, recordedAt }) => createdAt !== undefined && createdAt < recordedAt),
    ).toEqual(times.map(() => true));
    expect(problems.map(({ code }) => code)).toEqual(['service-unreachable']);
  });

  it.each([
    ['an unknown key', { apiKey: 'pal_unknown' }, 'unauthenticated'],
    ['an unknown profile', { profile: 'no-such-profile' }, 'unknown-profile'],
    ['a window below zero', { window: -1 }, 'invalid-request'],
    ['a name that no session may have', { session: 'two words' }, 'invalid-request'],
  ])('says once that %s is refused, and lets the agent go on', async (_, options, code) => {
    const emit = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const mirror = mirrorOf('misconfigured', options);
    expect(await mirror.prepare({ history: HISTORY })).toBeUndefined();
    expect(await mirror.flush()).toBe(false);
    expect(emit.mock.calls).toEqual([
      [
        expect.stringContaining('Until that is changed, nothing of the agent is compacted'),
        expect.objectContaining({ type: 'PalimpsestConfigurationWarning', code }),
      ],
    ]);
    emit.mockRestore();
  });

  it('tells of a refused key although another session has told of an outage', async () => {
    const outages = noOutages();
    const codes: string[] = [];
    const onProblem = ({ code }: PalimpsestError) => void codes.push(code);
    const given = { url: service.url, apiKey: 'pal_unknown', onProblem };
    const away = new SessionMirror({ ...given, session: 'away', url: 'http://127.0.0.1:9' }, outages);
    await away.prepare({ history: HISTORY });
    for (const session of ['a', 'b'])
      await new SessionMirror({ ...given, session }, outages).prepare({ history: HISTORY });
    expect(codes).toEqual(['service-unreachable', 'unauthenticated']);
  });

  it('tells once of a session that is closed, and does not append to it in the background', async () => {
    const codes: string[] = [];
    let calls = 0;
    const counted = new PalimpsestClient({
      ...{ url: service.url, apiKey: service.adminKey, retries: 0 },
      fetch: (...request) => {
        calls += 1;
        return fetch(...request);
      },
    });
    const mirror = mirrorOf('closed', {
      client: counted,
      onProblem: ({ code }: PalimpsestError) => codes.push(code),
    });
    await mirror.prepare({ history: HISTORY });
    await client.sessions.close('closed', 'done');
    expect(await mirror.prepare({ history: [...HISTORY, answered('2')] })).toBeUndefined();
    jest.useFakeTimers();
    const before = calls;
    await mirror.prepare({ history: [...HISTORY, answered('2'), said('Three.')] });
    await jest.advanceTimersByTimeAsync(120_000);
    jest.useRealTimers();
    expect([codes, calls - before]).toEqual([['session-closed'], 0]);
  });

  it('throws errors of the service if configured to', async () => {
    const mirror = mirrorOf('strict', { failOpen: false, apiKey: 'pal_unknown' });
    await expect(mirror.prepare({ history: HISTORY })).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
