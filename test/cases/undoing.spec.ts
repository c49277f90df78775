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
  const handler = new GetContextHandler(sessions);
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
  it('at once: the context is what it was, byte for byte', async () => {
    const application = await begun();
    const before = await contextsOf(application);
    const compactionId = await compact(application);
    expect(await contextsOf(application)).not.toEqual(before);
    expect(await revert(application)).toMatchObject({ compactionId, restored: null });
    expect(await contextsOf(application)).toEqual(before);
  });

  it('after new turns: refused, the context stays, and a fork from before it is the way out', async () => {
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

  it('twice: the second time it is not there any more, and nothing changes', async () => {
    const application = await begun();
    const compactionId = await compact(application);
    await revert(application, compactionId);
    const revision = await revisionOf(application);
    await expect(revert(application, compactionId)).rejects.toMatchObject({
      code: 'compaction-not-revertible',
    });
    expect(await revisionOf(application)).toBe(revision);
  });

  it('and made again: the new one is in force, and can be reverted as well', async () => {
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

  it('nested: each revert brings back the one below it, newest first, with what came since', async () => {
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
    // Whoever reads the log from zero sees the same.
    expect(await contextsOf(openApplication(application))).toEqual([anthropic, ...openAi]);
  });
});

describe('case 28: a fork', () => {
  it('from before a compaction has every message, from after it the summary; the source stays as it is', async () => {
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

  it('goes on and is compacted on its own, wherever it began', async () => {
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

  it('of a session whose compaction was reverted has what the session has', async () => {
    const application = await begun();
    await compact(application);
    await revert(application);
    expect(await contextsOf(application, await fork(application, 'reverted'))).toEqual(
      await contextsOf(application),
    );
  });
});
