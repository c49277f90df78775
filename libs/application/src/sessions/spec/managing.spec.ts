import {
  ChangeSettings,
  ForkSession,
  PinContent,
  ResetSession,
  RevertCompaction,
  type SessionRef,
} from '@app/application';
import { compose, manifestOf } from '@app/domain';
import { Actor, PinId, SessionId } from '@app/kernel';
import {
  type Application,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  requestCompaction,
  sessionRef,
} from '@app/testing';
import { jest } from '@jest/globals';

const ref = sessionRef();
const caller = { actor: Actor('tester') };
const never = new AbortController().signal;

const bytes = async ({ sessions }: Application, of: SessionRef = ref): Promise<string> => {
  const { state } = await sessions.load(of);
  if (state.status !== 'open') throw new Error('the session is open');
  return JSON.stringify(compose(manifestOf(state), 'anthropic').request);
};
const compact = async (application: Application): Promise<void> => {
  const { compactionId } = await requestCompaction(application, ref);
  await application.runner('worker').run(ref, compactionId, 'cause', never);
};

/** Guarantee: a process with a cached session sees the changes of other processes. */
describe('a session cached by several processes', () => {
  it('has the state before a compaction after its revert in all of them', async () => {
    const log = openMemoryLog();
    const [here, there] = [openApplication(log), openApplication(log)];
    await openSession(here, ref);
    await playTurns(here, ref, 0, 10);
    const before = await bytes(there);
    await compact(here);
    expect(await bytes(there)).not.toBe(before);
    const reverted = await there.commands.execute(new RevertCompaction(ref, { reason: 'a test' }, caller));
    expect(reverted).toMatchObject({ restored: null });
    for (const application of [here, there, openApplication(log)])
      expect(await bytes(application)).toBe(before);
    await playTurns(here, ref, 10, 12);
    expect(await bytes(there)).toBe(await bytes(openApplication(log)));
  });

  // Holds rule 7.9.
  it('can be reset, compacted and reverted repeatedly', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 10);
    const contexts = [await bytes(application)];
    await compact(application);
    contexts.push(await bytes(application));
    await application.commands.execute(new ResetSession(ref, { reason: 'x', confirm: true }, caller));
    for (const expected of contexts.toReversed()) {
      await application.commands.execute(new RevertCompaction(ref, { reason: 'x' }, caller));
      expect(await bytes(application)).toBe(expected);
    }
    await expect(
      application.commands.execute(new RevertCompaction(ref, { reason: 'x' }, caller)),
    ).rejects.toMatchObject({ code: 'compaction-not-revertible' });
  });

  it('forks with its pins and settings and does not affect the fork afterwards', async () => {
    const application = openApplication(openMemoryLog());
    const { commands } = application;
    await openSession(application, ref);
    await playTurns(application, ref, 0, 10);
    await compact(application);
    const pin = { pinId: PinId('rule'), kind: 'constraint' as const, text: 'Never touch main.' };
    await commands.execute(new PinContent(ref, pin, caller));
    await commands.execute(new ChangeSettings(ref, { overrides: { keepRecentTurns: 3 } }, caller));
    const forked = await commands.execute(new ForkSession(ref, { as: SessionId('fork') }, caller));
    const fork = { tenant: ref.tenant, session: forked.session };
    expect(await bytes(application, fork)).toBe(await bytes(application));
    const before = await bytes(application);
    await playTurns(application, fork, 20, 22);
    expect(await bytes(application)).toBe(before);
    const { state } = await application.sessions.load(fork);
    expect(state).toMatchObject({ profile: { keepRecentTurns: 3 }, pins: [{ pinId: 'rule' }] });
    await expect(
      commands.execute(new ForkSession(ref, { as: SessionId('fork') }, caller)),
    ).rejects.toMatchObject({ code: 'session-already-open' });
  });
});

describe('ChangeSettings', () => {
  it.each([
    [{ title: 'Parser' }, ['DescribeSession'], ['title']],
    [{ model: 'gpt-5', labels: { team: 'a' } }, ['SwitchModel', 'DescribeSession'], ['model', 'labels']],
    [{ window: 64_000 }, ['ChangeSettings'], ['window']],
    [{}, ['ChangeSettings'], []],
  ])('of %j executes only %j', async (change, types, changed) => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    const execute = jest.spyOn(application.sessions, 'execute');
    const settings = await application.commands.execute(new ChangeSettings(ref, change, caller));
    const executed = execute.mock.calls.map(([, command]) => 'type' in command && command.type);
    expect(executed).toEqual(types);
    expect(settings.changed).toEqual(changed);
  });

  it('records nothing if one of several changes is rejected', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    const change = { model: 'gpt-5', overrides: { nope: 1 } };
    await expect(application.commands.execute(new ChangeSettings(ref, change, caller))).rejects.toMatchObject(
      {
        code: 'invalid-settings',
      },
    );
    const { model } = await application.commands.execute(new ChangeSettings(ref, {}, caller));
    expect(model).not.toBe('gpt-5');
  });
});
