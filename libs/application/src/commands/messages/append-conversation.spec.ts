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

describe('AppendConversation', () => {
  const first = [said('user', 'go on'), said('assistant', 'done')];

  it('records the messages in order with generated IDs', async () => {
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

  it('records nothing for a repeated conversation, even after the end of its turn', async () => {
    await append({ messages: first, stopReason: 'end_turn' });
    const events = await recordedEvents(application.log, ref);
    expect(await append({ messages: first, stopReason: 'end_turn' })).toMatchObject({
      appended: 0,
      known: 2,
    });
    expect(await recordedEvents(application.log, ref)).toEqual(events);
  });

  it('appends only the messages after the end of the session', async () => {
    await append({ messages: first });
    const grown = [...first, said('user', 'and now?')];
    expect(await append({ messages: grown })).toMatchObject({ appended: 1, known: 2, turn: 2 });
    expect(await texts()).toEqual(['go on', 'done', 'and now?']);
  });

  it('appends a message with the text of an earlier one', async () => {
    await append({ messages: first });
    expect(await append({ messages: [said('user', 'go on')] })).toMatchObject({ appended: 1, known: 0 });
    expect(await texts()).toEqual(['go on', 'done', 'go on']);
  });

  it('recognizes a conversation whose start a compaction has removed from the context', async () => {
    await playTurns(application, ref, 0, 19);
    const whole = (await recordedEvents(application.log, ref)).flatMap((event) =>
      event.type === 'MessageAppended'
        ? [{ role: event.data.message.role, blocks: event.data.message.blocks }]
        : [],
    );
    await compactNow(application);
    expect(await append({ messages: whole })).toMatchObject({ appended: 0, known: 38 });
  });

  it('keeps the IDs of the caller and rejects other text under a recorded ID', async () => {
    await append({ messages: [said('user', 'go on', 'mine')] });
    expect(await append({ messages: [said('user', 'go on', 'mine')] })).toMatchObject({ known: 1 });
    const other = append({ messages: [said('user', 'stop', 'mine')] });
    await expect(other).rejects.toMatchObject({ code: 'message-conflict' });
  });

  it('splits a large conversation into several appends without repeating a message', async () => {
    const many = Array.from({ length: 1_201 }, (_, at) =>
      said(at % 2 === 0 ? 'user' : 'assistant', `m${at}`),
    );
    expect(await append({ messages: many })).toMatchObject({ appended: 1_201, messages: 1_201 });
    expect(await texts()).toEqual(many.map((_, at) => `m${at}`));
  });
});

describe('AppendConversation with usage', () => {
  const messages = [said('user', 'go'), said('assistant', 'done'), said('user', 'and now?')];

  it('calibrates the occupancy with the billed tokens and estimates later messages', async () => {
    const answer = await append({ messages, usage: bill(8_100) });
    expect(answer.occupancy).toBe(8_100 + 5 + 2);
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'UsageReported')).toMatchObject([
      { data: { source: 'reported', outcome: 'completed', model: 'unknown' } },
    ]);
  });

  it('records the usage once', async () => {
    await append({ messages, usage: bill(8_100) });
    await append({ messages, usage: bill(8_100) });
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'UsageReported')).toHaveLength(1);
  });

  it('records the usage once even if many messages follow', async () => {
    const since = Array.from({ length: 600 }, (_, at) => said('user', `m${at}`));
    await append({ messages: [...messages, ...since], usage: bill(100) });
    const events = await recordedEvents(application.log, ref);
    expect(events.filter(({ type }) => type === 'UsageReported')).toHaveLength(1);
  });

  it('rejects usage without an answer before anything is appended', async () => {
    const refused = append({ messages: [said('user', 'go')], usage: bill(1) });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-settings' });
    expect(await texts()).toEqual([]);
  });
});

describe('after AppendConversation', () => {
  it('the next request is checked against the budget and names its compaction', async () => {
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

  it('the turn completes once', async () => {
    await append({ messages: [said('user', 'go')], stopReason: 'max_tokens' });
    const again = await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    expect(again).toMatchObject({ turn: 1, completed: false });
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      data: { turn: 1, stopReason: 'max_tokens' },
    });
  });
});
