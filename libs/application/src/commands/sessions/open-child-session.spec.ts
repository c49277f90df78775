import {
  CloseSession,
  CompleteTurn,
  ForkSession,
  OpenChildSession,
  RequestCompaction,
  ResetSession,
  type SessionRef,
} from '@app/application';
import { manifestOf, type OpenSession, occupancy } from '@app/domain';
import { SessionId } from '@app/kernel';
import {
  type Application,
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  recordedSession,
  said,
  sessionRef,
} from '@app/testing';

const parent = sessionRef('parent');
let application: Application;
beforeEach(async () => {
  application = openApplication(openMemoryLog());
  await openSession(application, parent);
});

const openChild = (name: string, mandate = 'find the bug', on = application): Promise<unknown> => {
  const input = {
    model: 'unknown',
    profile: 'core',
    window: 10_000,
    systemPrompt: '',
    tools: [],
    labels: {},
  };
  const child = { ...input, parent: parent.session, mandate };
  return on.commands.execute(new OpenChildSession(sessionRef(name), child, caller));
};
const close = (name: string) =>
  application.commands.execute(new CloseSession(sessionRef(name), 'done', caller));
const stateOf = async (ref: SessionRef, on = application): Promise<OpenSession> => {
  const { state } = await on.sessions.load(ref);
  if (state.status !== 'open') throw new Error(`${ref.session} is not open`);
  return state;
};
const running = async (on = application): Promise<string | undefined> =>
  (await stateOf(parent, on)).pins.find(({ kind }) => kind === 'children')?.text;
const compact = async (ref: SessionRef): Promise<void> => {
  const asked = new RequestCompaction(ref, { trigger: 'explicit' }, caller);
  const { compactionId } = await application.commands.execute(asked);
  await application.runner('w1').run(ref, compactionId, 'cause', new AbortController().signal);
  expect((await stateOf(ref)).pivot?.compactionId).toBe(compactionId);
};

// Holds case 32.
describe('a child session', () => {
  // Holds rule 2.4.
  it('starts with its task pinned and is pinned in its parent while it runs', async () => {
    await openChild('child-a');
    await openChild('child-b');
    expect((await stateOf(sessionRef('child-a'))).pins).toMatchObject([
      { pinId: 'mandate', kind: 'mandate', text: 'find the bug' },
    ]);
    expect(await running()).toBe('child-a\nchild-b');
    await close('child-a');
    expect(await running()).toBe('child-b');
    await close('child-b');
    expect(await running()).toBeUndefined();
  });

  // Holds rule 1.1.
  it('is compacted without an event or tokens in its parent', async () => {
    await openChild('child-a');
    const before = await recordedEvents(application.log, parent);
    const size = occupancy(await stateOf(parent));
    await playTurns(application, sessionRef('child-a'), 0, 19);
    await compact(sessionRef('child-a'));
    expect(await recordedEvents(application.log, parent)).toEqual(before);
    expect(occupancy(await stateOf(parent))).toBe(size);
  });

  // Holds rule 2.4.
  it('stays in the context of a parent that was compacted, reset and reloaded', async () => {
    await openChild('child-a');
    await playTurns(application, parent, 0, 19);
    await compact(parent);
    expect(await running()).toBe('child-a');
    await application.commands.execute(new ResetSession(parent, { reason: 'enough', confirm: true }, caller));
    const elsewhere = openApplication(application);
    expect(await running(elsewhere)).toBe('child-a');
    expect(manifestOf(await stateOf(parent, elsewhere)).pinned).toContain('child-a');
    await close('child-a');
    expect(await running()).toBeUndefined();
  });

  it('survives a race of two processes that open different children', async () => {
    const elsewhere = openApplication(application);
    await running(elsewhere); // At hand there, and old as soon as the other has written.
    await Promise.all([
      ...['a', 'b', 'c'].map((name) => openChild(`here-${name}`)),
      ...['a', 'b', 'c'].map((name) => openChild(`there-${name}`, 'the same', elsewhere)),
    ]);
    expect((await running())?.split('\n').sort()).toEqual([
      'here-a',
      'here-b',
      'here-c',
      'there-a',
      'there-b',
      'there-c',
    ]);
  });

  it('is opened and pinned once if the command is repeated', async () => {
    await openChild('child-a');
    const before = await recordedEvents(application.log, parent);
    await openChild('child-a');
    expect(await recordedEvents(application.log, parent)).toEqual(before);
    await expect(openChild('child-a', 'something else')).rejects.toMatchObject({
      code: 'session-already-open',
    });
    await close('child-a');
    await openChild('child-a');
    expect(await running()).toBeUndefined();
  });

  it('requires an existing open parent', async () => {
    const input = { model: 'unknown', profile: 'core', systemPrompt: '', tools: [], labels: {} };
    const orphan = new OpenChildSession(
      sessionRef('child-a'),
      { ...input, parent: SessionId('nobody') },
      caller,
    );
    await expect(application.commands.execute(orphan)).rejects.toMatchObject({ code: 'session-not-found' });
    await close('parent');
    await expect(openChild('child-b')).rejects.toMatchObject({ code: 'session-closed' });
    for (const name of ['child-a', 'child-b'])
      expect((await application.sessions.load(sessionRef(name))).state.status).toBe('absent');
  });

  it('survives the end of its parent and can be closed afterwards', async () => {
    await openChild('child-a');
    await close('parent');
    expect((await stateOf(sessionRef('child-a'))).closed).toBe(false);
    const before = await recordedEvents(application.log, parent);
    await close('child-a');
    expect(await recordedEvents(application.log, parent)).toEqual(before);
  });

  it('from an import is not running and not pinned', async () => {
    const items = async function* () {
      yield* recordedSession('old-parent', [said('q1', 'user')]);
      yield* recordedSession('old-child', [said('q2', 'user')], 'old-parent');
    };
    const options = { tenant: parent.tenant, profile: 'core' };
    await application.importer.import('claude-code', items(), options, caller);
    expect((await stateOf(sessionRef('old-child'))).opened.parentSessionId).toBe('old-parent');
    expect((await stateOf(sessionRef('old-parent'))).pins).toEqual([]);
  });

  it('that is forked becomes another child of the parent', async () => {
    await openChild('child-a');
    await application.commands.execute(new CompleteTurn(sessionRef('child-a'), 'end_turn', caller));
    const fork = new ForkSession(sessionRef('child-a'), { as: SessionId('fork-of-a') }, caller);
    await application.commands.execute(fork);
    expect(await running()).toBe('child-a');
    await close('fork-of-a');
    expect(await running()).toBe('child-a');
  });
});
