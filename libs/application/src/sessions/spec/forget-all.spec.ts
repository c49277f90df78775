import { SessionId } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { caller, openApplication, openMemoryLog, openSession, playTurns, sessionRef } from '@app/testing';
import { ForkSession } from '../../commands/sessions/fork-session.js';

/** A log whose appends to one stream wait until the gate is opened. */
const gated = (name: string) => {
  const memory = openMemoryLog();
  let open = (): void => {};
  let arrived = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const append: EventLog['append'] = async (stream, ...rest) => {
    if (stream.endsWith(`.${name}`)) {
      arrived();
      await gate;
    }
    return memory.log.append(stream, ...rest);
  };
  const log: EventLog = {
    append,
    readForwards: (...range) => memory.log.readForwards(...range),
    readBackwards: (...range) => memory.log.readBackwards(...range),
  };
  return { memory: { ...memory, log }, reached, open };
};

describe('sessions in memory', () => {
  it('are dropped once no fork goes on that has read one before', async () => {
    const { memory, reached, open } = gated('copy');
    const application = openApplication(memory);
    await openSession(application, sessionRef());
    await playTurns(application, sessionRef(), 0, 2);
    const fork = application.commands.execute(
      new ForkSession(sessionRef(), { as: SessionId('copy') }, caller),
    );
    await Promise.race([reached, fork]);
    const order: string[] = [];
    const dropped = application.sessions.forgetAll().then(() => order.push('dropped'));
    // Work that begins after the call is not awaited.
    await application.sessions.load(sessionRef());
    order.push('loaded');
    open();
    await Promise.all([fork.then(() => order.push('forked')), dropped]);
    expect(order).toEqual(['loaded', 'forked', 'dropped']);
  });
});
