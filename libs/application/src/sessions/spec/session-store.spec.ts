import { AppError, Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import {
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendMessages } from '../../commands/append-messages.js';
import { CompleteTurn } from '../../commands/complete-turn.js';
import { AppendConversation } from '../../commands/messages/append-conversation.js';
import { ComposeRequest } from '../../commands/requests/compose-request.js';
import { CloseSession } from '../../commands/sessions/close-session.js';

const ref = sessionRef();

describe('a session with several writers', () => {
  it('records every message once, whichever writer loses a race', async () => {
    const memory = openMemoryLog();
    const processes = [1, 2, 3].map(() => openApplication(memory));
    const [first] = processes;
    if (!first) throw new Error('there are three');
    await openSession(first, ref);
    const writing = processes.flatMap(({ commands }, process) =>
      Array.from({ length: 10 }, (_, n) => {
        const message = textMessage(`m-${process}-${n}`, 'text');
        return commands.execute(new AppendMessages(ref, [message], caller));
      }),
    );
    const written = await Promise.all(writing);
    expect(new Set(written.map(({ revision }) => revision)).size).toBe(30);
    const { state } = await first.sessions.load(ref);
    expect(state).toMatchObject({ messages: 30 });
    expect(await recordedEvents(memory.log, ref)).toHaveLength(31);
  });

  // Holds rule 5.17.
  it('decides again on events that another process recorded', async () => {
    const memory = openMemoryLog();
    const [here, there] = [openApplication(memory), openApplication(memory)];
    await openSession(here, ref);
    await playTurns(here, ref, 0, 1);
    await playTurns(there, ref, 1, 2); // What is at hand here is old now.
    await here.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    const events = await recordedEvents(memory.log, ref);
    expect(events.filter(({ type }) => type === 'TurnCompleted')).toHaveLength(2);
    const again = await here.commands
      .execute(new AppendMessages(ref, [textMessage('q1', 'other')], caller))
      .catch((error: unknown) => error);
    expect(again).toMatchObject({ code: 'message-conflict' });
  });

  it('reads only the events of the other writer after a lost race, and not the session again', async () => {
    const memory = openMemoryLog();
    const there = openApplication(memory);
    await openSession(there, ref);
    await playTurns(there, ref, 0, 30);
    let read = 0;
    const counting = async function* (events: ReturnType<EventLog['readForwards']>) {
      for await (const recorded of events) {
        read += 1;
        yield recorded;
      }
    };
    const log: EventLog = {
      append: memory.log.append.bind(memory.log),
      readForwards: (...given) => counting(memory.log.readForwards(...given)),
      readBackwards: (...given) => counting(memory.log.readBackwards(...given)),
    };
    const here = openApplication({ ...memory, log });
    await here.sessions.load(ref);
    await there.commands.execute(new AppendMessages(ref, [textMessage('theirs', 'x')], caller));
    read = 0;
    await here.commands.execute(new AppendMessages(ref, [textMessage('mine', 'x')], caller));
    expect(read).toBe(1);
  });

  it('reports a conflict after too many lost races', async () => {
    const memory = openMemoryLog();
    const here = openApplication(memory);
    const there = openApplication(memory);
    await openSession(here, ref);
    let others = 0;
    const append = memory.log.append.bind(memory.log);
    const overtaken = openApplication({
      subscriptions: memory.subscriptions,
      log: {
        readForwards: memory.log.readForwards.bind(memory.log),
        readBackwards: memory.log.readBackwards.bind(memory.log),
        append: async (...given) => {
          others += 1;
          await there.commands.execute(
            new AppendMessages(ref, [textMessage(`other-${others}`, 'x')], caller),
          );
          return append(...given);
        },
      },
    });
    const lost = overtaken.commands.execute(new AppendMessages(ref, [textMessage('mine', 'x')], caller));
    await expect(lost).rejects.toMatchObject({ code: 'concurrency-conflict', cause: expect.any(Error) });
    expect(others).toBe(50);
  });
});

/** Guarantee: a request costs one append, and no read if the session is cached. */
describe('several commands of a request', () => {
  const said = (text: string) => ({ role: 'user' as const, blocks: textMessage('x', text).blocks });
  const counted = async () => {
    const memory = openMemoryLog();
    const calls: string[] = [];
    const { log } = memory;
    const counting: EventLog = {
      append: (...given) => {
        calls.push('append');
        return log.append(...given);
      },
      readForwards: (...given) => {
        calls.push('read');
        return log.readForwards(...given);
      },
      readBackwards: (...given) => {
        calls.push('read');
        return log.readBackwards(...given);
      },
    };
    const application = openApplication({ subscriptions: memory.subscriptions, log: counting });
    await openSession(application, ref);
    calls.length = 0;
    return { ...application, calls, elsewhere: openApplication(memory) };
  };

  it('are one append and read nothing that is cached', async () => {
    const { commands, calls } = await counted();
    const messages = [said('a'), said('b')];
    await commands.execute(new AppendConversation(ref, { messages, stopReason: 'end_turn' }, caller));
    await commands.execute(new ComposeRequest(ref, { format: 'anthropic' }, caller));
    expect(calls).toEqual(['append', 'append']);
  });

  it('are all decided again after a conflict', async () => {
    const { commands, sessions, elsewhere } = await counted();
    await elsewhere.commands.execute(new AppendConversation(ref, { messages: [said('a')] }, caller));
    const grown = { messages: [said('a'), said('b')], stopReason: 'end_turn' };
    const answer = await commands.execute(new AppendConversation(ref, grown, caller));
    expect(answer).toMatchObject({ appended: 1, known: 1, messages: 2, turn: 2 });
    expect((await sessions.load(ref)).state).toMatchObject({ messages: 2, turnCompleted: 2 });
  });

  it('are rejected together', async () => {
    const { commands, sessions, elsewhere } = await counted();
    await elsewhere.commands.execute(new CloseSession(ref, 'done', caller));
    const late = commands.execute(new AppendConversation(ref, { messages: [said('a')] }, caller));
    await expect(late).rejects.toMatchObject({ code: 'session-closed' });
    expect((await sessions.load(ref)).state).toMatchObject({ messages: 0 });
  });
});

describe('a session as of a revision', () => {
  // Holds rule 2.18.
  it('has the state of that revision, and a later revision is rejected', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 5);
    const { revision } = await application.sessions.load(ref);
    expect(revision).toBe(15);
    expect(await application.sessions.load(ref, Revision(4))).toMatchObject({
      revision: 4,
      state: { messages: 3 },
    });
    for (const later of [16, 5_000]) {
      const refused = application.sessions.load(ref, Revision(later));
      await expect(refused).rejects.toBeInstanceOf(AppError);
      await expect(refused).rejects.toMatchObject({ code: 'revision-not-found' });
    }
  });

  it('does not exist if it was never opened', async () => {
    const { sessions } = openApplication(openMemoryLog());
    expect(await sessions.load(ref)).toEqual({ state: { status: 'absent' }, revision: undefined });
  });
});
