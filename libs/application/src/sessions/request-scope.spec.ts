import { IsoTime, PinId, Revision } from '@app/kernel';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendConversation, type Conversation } from '../commands/messages/append-conversation.js';
import { ComposeRequest } from '../commands/requests/compose-request.js';
import { PinContent } from '../commands/sessions/pin-content.js';
import { RequestScope } from './request-scope.js';
import { streamOf } from './session-ref.js';

const ref = sessionRef();
const BEGUN = IsoTime('2020-01-01');
/** The request of one key, sent for the first time or once more. */
const keyed = (isAgain = false, name = 'acme key-1') => ({
  ...caller,
  request: new RequestScope({ identity: { name, ...(isAgain && { begunAfter: BEGUN }) } }),
});
const held = (revision: number) => ({
  ...caller,
  request: new RequestScope({ expected: { stream: streamOf(ref), revision: Revision(revision) } }),
});
const said = (...texts: string[]): Conversation => ({
  messages: texts.map((text) => ({ role: 'user' as const, blocks: textMessage('x', text).blocks })),
});

/** Guarantee: a repeated request is carried out once, after any interruption and any requests in between. */
describe('a request with an idempotency key', () => {
  const given = async (): Promise<{ application: Application; types: () => Promise<string[]> }> => {
    const memory = openMemoryLog();
    const application = openApplication(memory);
    await openSession(application, ref);
    const types = async () => (await recordedEvents(memory.log, ref)).map(({ type }) => type);
    return { application, types };
  };

  it('records messages without IDs once and repeats its answer after later messages', async () => {
    const { application, types } = await given();
    const { commands } = application;
    const first = await commands.execute(new AppendConversation(ref, said('a', 'b'), keyed()));
    await commands.execute(new AppendConversation(ref, said('another'), caller));
    const before = await types();
    const again = await commands.execute(new AppendConversation(ref, said('a', 'b'), keyed(true)));
    expect(again).toMatchObject({ appended: first.appended, known: first.known });
    expect(await types()).toEqual(before);
  });

  it('resumes after the last recorded batch', async () => {
    const { application, types } = await given();
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(390_000)); // One append each.
    const { append } = application.log;
    let appends = 0;
    const breaking = openApplication({
      ...application,
      log: {
        append: (...args) => {
          appends += 1;
          if (appends > 2) throw new Error('the process is gone');
          return append.apply(application.log, args);
        },
        readForwards: (...args) => application.log.readForwards(...args),
        readBackwards: (...args) => application.log.readBackwards(...args),
      },
    });
    await expect(
      breaking.commands.execute(new AppendConversation(ref, said(...texts), keyed())),
    ).rejects.toThrow();
    const messages = async () => (await types()).filter((type) => type === 'MessageAppended').length;
    expect(await messages()).toBe(2);
    await application.commands.execute(new AppendConversation(ref, said('in between'), caller));
    await application.commands.execute(new AppendConversation(ref, said(...texts), keyed(true)));
    expect(await messages()).toBe(4);
  });

  it('returns its composed request again', async () => {
    const { application, types } = await given();
    await playTurns(application, ref, 0, 1);
    const compose = (by: typeof caller) =>
      application.commands.execute(new ComposeRequest(ref, { format: 'anthropic' }, by));
    const first = await compose(keyed());
    await playTurns(application, ref, 1, 2);
    const before = await types();
    expect(await compose(keyed(true))).toEqual(first);
    expect(await types()).toEqual(before);
  });

  it('runs if nothing of it is recorded, and its key belongs to one caller', async () => {
    const { application, types } = await given();
    const pin = { pinId: PinId('p'), kind: 'plan' as const, text: 'one' };
    await application.commands.execute(new PinContent(ref, pin, keyed(true)));
    await application.commands.execute(
      new PinContent(ref, { ...pin, text: 'two' }, keyed(true, 'acme key-2')),
    );
    expect((await types()).filter((type) => type === 'ContentPinned')).toHaveLength(2);
  });

  it('is recorded once by two concurrent writers', async () => {
    const memory = openMemoryLog();
    const processes = [openApplication(memory), openApplication(memory)];
    const [one] = processes;
    if (!one) throw new Error('there are two');
    await openSession(one, ref);
    const answers = await Promise.all(
      processes.map(({ commands }) => commands.execute(new AppendConversation(ref, said('a'), keyed()))),
    );
    expect(answers).toMatchObject([{ appended: 1 }, { appended: 1 }]);
    const events = await recordedEvents(memory.log, ref);
    expect(events.filter(({ type }) => type === 'MessageAppended')).toHaveLength(1);
  });
});

/** Guarantee: nothing is recorded on a session that is not where its caller takes it to be. */
describe('a request with an expected revision', () => {
  it('is rejected at any other revision; only its first command is checked', async () => {
    const memory = openMemoryLog();
    const application = openApplication(memory);
    await openSession(application, ref);
    const append = (text: string, revision: number) =>
      application.commands.execute(new AppendConversation(ref, said(text), held(revision)));
    await expect(append('a', 7)).rejects.toMatchObject({ code: 'revision-mismatch' });
    const by = held(0);
    const ended = { ...said('a'), stopReason: 'end_turn' };
    await application.commands.execute(new AppendConversation(ref, ended, by)); // Several commands.
    const { revision } = await application.sessions.load(ref);
    expect(by.request.revisionOf(streamOf(ref))).toBe(revision);
    await expect(append('b', 0)).rejects.toMatchObject({ code: 'revision-mismatch' });
  });

  it('is checked by the log: one of many concurrent requests succeeds', async () => {
    const memory = openMemoryLog();
    const processes = Array.from({ length: 5 }, () => openApplication(memory));
    const [one] = processes;
    if (!one) throw new Error('there are five');
    await openSession(one, ref);
    const pin = { pinId: PinId('p'), kind: 'plan' as const };
    const tries = processes.map(({ commands }, at) =>
      commands.execute(new PinContent(ref, { ...pin, text: `${at}` }, held(0))),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject(
      Array.from({ length: 4 }, () => ({ reason: { code: 'revision-mismatch' } })),
    );
  });
});
