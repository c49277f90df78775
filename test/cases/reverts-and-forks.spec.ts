import {
  AppendMessages,
  ForkSession,
  GetContext,
  GetContextHandler,
  ResetSession,
  RevertCompaction,
  type SessionRef,
} from '@app/application';
import { WIRE_FORMATS, type WireFormat } from '@app/domain';
import { type CompactionId, type Revision, SessionId } from '@app/kernel';
import {
  type Application,
  assistant,
  caller,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  requestCompaction,
  sessionRef,
  user,
} from '@app/testing';

const ref = sessionRef();
const FORMATS: readonly WireFormat[] = WIRE_FORMATS;

const begun = async (): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref);
  await playTurns(application, ref, 0, 12);
  return application;
};
const compact = async (application: Application): Promise<CompactionId> => {
  const { compactionId } = await requestCompaction(application, ref);
  await application.runner('w1').run(ref, compactionId, 'cause', new AbortController().signal);
  return compactionId;
};
const revert = ({ commands }: Application, compactionId?: CompactionId) =>
  commands.execute(
    new RevertCompaction(ref, { reason: 'a test', ...(compactionId && { compactionId }) }, caller),
  );
const contextsOf = async ({ sessions }: Application, of: SessionRef = ref, asOf?: Revision) => {
  const handler = new GetContextHandler({ sessions });
  const views = await Promise.all(FORMATS.map((format) => handler.execute(new GetContext(of, format, asOf))));
  expect(views.flatMap(({ violations }) => violations)).toEqual([]);
  return views.map(({ request }) => JSON.stringify(request));
};
const revisionOf = async ({ sessions }: Application): Promise<Revision | undefined> =>
  (await sessions.load(ref)).revision;
const fork = async ({ commands }: Application, as: string, at?: Revision): Promise<SessionRef> => {
  const request = { as: SessionId(as), ...(at !== undefined && { at }) };
  const { session } = await commands.execute(new ForkSession(ref, request, caller));
  return { tenant: ref.tenant, session };
};
const say = ({ commands }: Application, id: string): Promise<unknown> =>
  commands.execute(new AppendMessages(ref, [assistant(id, 'and one thing more')], caller));

describe('case 27: a compaction is reverted', () => {
  it('immediately: the context is restored byte for byte', async () => {
    const application = await begun();
    const before = await contextsOf(application);
    const compactionId = await compact(application);
    expect(await contextsOf(application)).not.toEqual(before);
    expect(await revert(application)).toMatchObject({ compactionId, restored: null });
    expect(await contextsOf(application)).toEqual(before);
  });

  it('after new turns: is rejected with a fork as remedy, and the context stays unchanged', async () => {
    const application = await begun();
    const before = await contextsOf(application);
    const revision = await revisionOf(application);
    await compact(application);
    await playTurns(application, ref, 12, 13);
    const after = await contextsOf(application);
    await expect(revert(application)).rejects.toMatchObject({
      code: 'compaction-not-revertible',
      message: expect.stringContaining('fork the session from before it'),
    });
    expect(await contextsOf(application)).toEqual(after);
    expect(await contextsOf(application, await fork(application, 'way-out', revision))).toEqual(before);
  });

  it('twice: the second revert finds no compaction and changes nothing', async () => {
    const application = await begun();
    const compactionId = await compact(application);
    await revert(application, compactionId);
    const revision = await revisionOf(application);
    await expect(revert(application, compactionId)).rejects.toMatchObject({
      code: 'compaction-not-revertible',
    });
    expect(await revisionOf(application)).toBe(revision);
  });

  it('and repeated: the new compaction is in force, and can be reverted too', async () => {
    const application = await begun();
    const before = await contextsOf(application);
    const first = await compact(application);
    await revert(application);
    const second = await compact(application);
    expect(second).not.toBe(first);
    expect(await contextsOf(application)).not.toEqual(before);
    expect(await revert(application)).toMatchObject({ compactionId: second, restored: null });
    expect(await contextsOf(application)).toEqual(before);
  });

  it('nested: each revert restores the compaction below it, newest first, with later messages', async () => {
    const application = await begun();
    const whole = await contextsOf(application);
    const first = await compact(application);
    const once = await contextsOf(application);
    await application.commands.execute(
      new ResetSession(ref, { reason: 'start over', confirm: true }, caller),
    );
    await expect(revert(application, first)).rejects.toMatchObject({ code: 'compaction-not-revertible' });
    expect(await revert(application)).toMatchObject({ restored: first });
    expect(await contextsOf(application)).toEqual(once);
    await say(application, 'since');
    expect(await revert(application)).toMatchObject({ compactionId: first, restored: null });
    const [anthropic = '', ...openAi] = await contextsOf(application);
    for (const context of [anthropic, ...openAi]) expect(context).toContain('and one thing more');
    expect(anthropic.length).toBeGreaterThan(whole[0]?.length ?? 0);
    // A replay from zero gives the same contexts.
    expect(await contextsOf(openApplication(application))).toEqual([anthropic, ...openAi]);
  });
});

describe('case 28: a fork', () => {
  it('has every message if made before a compaction, the summary if made after it; the source is unchanged', async () => {
    const application = await begun();
    const whole = await contextsOf(application);
    const before = await revisionOf(application);
    await compact(application);
    const compacted = await contextsOf(application);
    const [early, late] = [
      await fork(application, 'before', before),
      await fork(application, 'after', await revisionOf(application)),
    ];
    expect(await contextsOf(application, early)).toEqual(whole);
    expect(await contextsOf(application, late)).toEqual(compacted);
    await application.commands.execute(new AppendMessages(early, [user('u-early', 'elsewhere')], caller));
    expect(await contextsOf(application)).toEqual(compacted);
    expect(await contextsOf(application, late)).toEqual(compacted);
  });

  it('continues and is compacted independently, from any starting point', async () => {
    const application = await begun();
    const before = await revisionOf(application);
    await compact(application);
    for (const [name, at] of [
      ['early', before],
      ['late', undefined],
    ] as const) {
      const forked = await fork(application, name, at);
      await playTurns(application, forked, 20, 26);
      const { compactionId } = await requestCompaction(application, forked);
      await application.runner('w1').run(forked, compactionId, 'cause', new AbortController().signal);
      const { state } = await application.sessions.load(forked);
      expect(state).toMatchObject({ pivot: { kind: 'compaction', compactionId } });
      const [body = ''] = await contextsOf(application, forked);
      expect(body.match(/<conversation-record/g)).toHaveLength(1);
    }
  });

  it('of a session with a reverted compaction has the content of the session', async () => {
    const application = await begun();
    await compact(application);
    await revert(application);
    expect(await contextsOf(application, await fork(application, 'reverted'))).toEqual(
      await contextsOf(application),
    );
  });
});
