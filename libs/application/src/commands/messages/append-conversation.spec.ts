import { AppendConversation, CompleteTurn, type Conversation } from '@app/application';
import { textBlock, type Usage } from '@app/domain';
import { MessageId, Tokens } from '@app/kernel';
import {
  type Application,
  caller,
  compactNow,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  sessionRef,
} from '@app/testing';

const ref = sessionRef();
const said = (role: 'user' | 'assistant', text: string, id?: string) => ({
  role,
  blocks: [textBlock(text)],
  ...(id !== undefined && { id: MessageId(id) }),
});
const bill = (tokens: number): Usage => ({
  inputTokens: Tokens(tokens),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
  outputTokens: Tokens(0),
});

let application: Application;
beforeEach(async () => {
  application = openApplication(openMemoryLog());
  await openSession(application, ref);
});
const append = (conversation: Conversation) =>
  application.commands.execute(new AppendConversation(ref, conversation, caller));
const texts = async (): Promise<readonly string[]> =>
  (await recordedEvents(application.log, ref)).flatMap((event) =>
    event.type === 'MessageAppended'
      ? event.data.message.blocks.map((block) => ('text' in block ? String(block.text) : ''))
      : [],
  );

describe('a conversation that is appended', () => {
  const first = [said('user', 'go on'), said('assistant', 'done')];

  it('is recorded in order, under names of its own', async () => {
    const answer = await append({ messages: first });
    expect(answer).toMatchObject({
      appended: 2,
      known: 0,
      messages: 2,
      turn: 1,
      state: 'normal',
      compactionId: null,
    });
    expect(await texts()).toEqual(['go on', 'done']);
  });

  it('says nothing new the second time, nor where its turn has ended since', async () => {
    await append({ messages: first, stopReason: 'end_turn' });
    const events = await recordedEvents(application.log, ref);
    expect(await append({ messages: first, stopReason: 'end_turn' })).toMatchObject({
      appended: 0,
      known: 2,
    });
    expect(await recordedEvents(application.log, ref)).toEqual(events);
  });

  it('that has grown goes on where the session ends', async () => {
    await append({ messages: first });
    const grown = [...first, said('user', 'and now?')];
    expect(await append({ messages: grown })).toMatchObject({ appended: 1, known: 2, turn: 2 });
    expect(await texts()).toEqual(['go on', 'done', 'and now?']);
  });

  it('may say the same words as before, where something has been said in between', async () => {
    await append({ messages: first });
    expect(await append({ messages: [said('user', 'go on')] })).toMatchObject({ appended: 1, known: 0 });
    expect(await texts()).toEqual(['go on', 'done', 'go on']);
  });

  it('is known although a compaction has taken its beginning out of the context', async () => {
    await playTurns(application, ref, 0, 19);
    const whole = (await recordedEvents(application.log, ref)).flatMap((event) =>
      event.type === 'MessageAppended'
        ? [{ role: event.data.message.role, blocks: event.data.message.blocks }]
        : [],
    );
    await compactNow(application);
    expect(await append({ messages: whole })).toMatchObject({ appended: 0, known: 38 });
  });

  it('keeps the names that it has, and tells a message of that name with other words', async () => {
    await append({ messages: [said('user', 'go on', 'mine')] });
    expect(await append({ messages: [said('user', 'go on', 'mine')] })).toMatchObject({ known: 1 });
    const other = append({ messages: [said('user', 'stop', 'mine')] });
    await expect(other).rejects.toMatchObject({ code: 'message-conflict' });
  });

  it('is sent in parts where it is large, each message once', async () => {
    const many = Array.from({ length: 1_201 }, (_, at) =>
      said(at % 2 === 0 ? 'user' : 'assistant', `m${at}`),
    );
    expect(await append({ messages: many })).toMatchObject({ appended: 1_201, messages: 1_201 });
    expect(await texts()).toEqual(many.map((_, at) => `m${at}`));
  });
});

describe('what was billed for its last answer', () => {
  const messages = [said('user', 'go'), said('assistant', 'done'), said('user', 'and now?')];

  it('measures the session, with the estimate of what came after', async () => {
    const answer = await append({ messages, usage: bill(8_100) });
    expect(answer.occupancy).toBe(8_100 + 5 + 2);
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'UsageReported')).toMatchObject([
      { data: { source: 'reported', outcome: 'completed', model: 'unknown' } },
    ]);
  });

  it('is recorded once', async () => {
    await append({ messages, usage: bill(8_100) });
    await append({ messages, usage: bill(8_100) });
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'UsageReported')).toHaveLength(1);
  });

  it('is recorded once where much has been said since', async () => {
    const since = Array.from({ length: 600 }, (_, at) => said('user', `m${at}`));
    await append({ messages: [...messages, ...since], usage: bill(100) });
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'UsageReported')).toHaveLength(1);
  });

  it('is refused where there is no answer, before anything is appended', async () => {
    const refused = append({ messages: [said('user', 'go')], usage: bill(1) });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-settings' });
    expect(await texts()).toEqual([]);
  });
});

describe('after it was appended', () => {
  it('the next request is held to the budget, and the compaction for it is named', async () => {
    await playTurns(application, ref, 0, 19);
    const answer = await append({
      messages: [said('user', 'go'), said('assistant', 'done')],
      usage: bill(8_500),
    });
    expect(answer).toMatchObject({ state: 'warning', occupancy: 8_500 });
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: answer.compactionId },
    });
  });

  it('the turn ends once', async () => {
    await append({ messages: [said('user', 'go')], stopReason: 'max_tokens' });
    const again = await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    expect(again).toMatchObject({ turn: 1, completed: false });
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      data: { turn: 1, stopReason: 'max_tokens' },
    });
  });
});
