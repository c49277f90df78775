import { readModels } from '@app/adapters/models-file';
import { AppendMessages, ChangeSettings, CheckBudget, CompleteTurn, OpenSession } from '@app/application';
import { compose, type Message, manifestOf, type SessionEvent, usableBudget } from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  type Application,
  assistant,
  call,
  caller,
  filler,
  image,
  openApplication,
  openMemoryLog,
  recordedEvents,
  result,
  sessionRef,
  usage,
  user,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
const opened = async (model: string, window?: number): Promise<Application> => {
  const models = { catalogFor: () => Promise.resolve(readModels()) };
  const application = openApplication({ ...openMemoryLog(), models });
  const given = { model, profile: 'pivot', systemPrompt: 'Be brief.', tools: [], labels: {} };
  const input = { ...given, ...(window !== undefined && { window }) };
  await application.commands.execute(new OpenSession(ref, input, caller));
  return application;
};
const append = (
  { commands }: Application,
  messages: readonly Message[],
  bill?: Parameters<typeof usage>[0],
) => commands.execute(new AppendMessages(ref, messages, caller, bill && usage(bill)));
const eventsOf = ({ log }: Application): Promise<SessionEvent[]> => recordedEvents(log, ref);
const stateOf = async ({ sessions }: Application) => {
  const { state } = await sessions.load(ref);
  if (state.status !== 'open') throw new Error('the session is open');
  return state;
};
const check = ({ commands }: Application) => commands.execute(new CheckBudget(ref, caller));
/** A turn with one call whose result has `tokens` tokens. */
const turn = (name: string, tokens: number, tool = 'read'): Message[] => [
  user(`u-${name}`, `do ${name}`),
  assistant(`a-${name}`, call(`c-${name}`, tool)),
  user(`r-${name}`, result(`c-${name}`, [{ type: 'text', text: filler(tokens * 4) }, image()])),
  assistant(`d-${name}`, `${name} is done`),
];

/**
 * Guarantee: overflow is determined by billed tokens; after a compaction only the newest pivot is in the context, and
 * the work continues.
 */
describe('session of the profile pivot', () => {
  it('overflows at the model’s input limit, or at the window less the output', async () => {
    const gpt = await stateOf(await opened('gpt-5.2'));
    expect(usableBudget(gpt.limits, gpt.profile)).toBe(272_000);
    const claude = await stateOf(await opened('claude-opus-4-1'));
    expect(usableBudget(claude.limits, claude.profile)).toBe(200_000 - 32_000);
  });

  it('counts input, cached reads and output, and requests a compaction one token above the limit', async () => {
    const application = await opened('claude-opus-4-1');
    await append(application, [user('u', 'go'), assistant('a', call('c')), user('r', result('c'))]);
    const bill = { input: 100_000, cacheRead: 60_000, output: 8_000, messageId: 'b' };
    await append(application, [assistant('b', 'first')], bill);
    expect((await check(application)).occupancy).toBe(168_000);
    expect((await eventsOf(application)).map(({ type }) => type)).not.toContain('CompactionThresholdHit');
    await append(application, [assistant('d', 'second')], { ...bill, output: 8_001, messageId: 'd' });
    await check(application);
    const hit = (await eventsOf(application)).find(({ type }) => type === 'CompactionThresholdHit');
    expect(hit?.data).toMatchObject({ occupancy: 168_001, threshold: 168_001 });
  });

  it('waits for the end of the step', async () => {
    const application = await opened('claude-opus-4-1');
    await append(application, [user('u', 'go')]);
    const bill = { input: 169_000, output: 100, messageId: 'a' };
    await append(application, [assistant('a', call('c'))], bill);
    await check(application);
    expect((await eventsOf(application)).map(({ type }) => type)).not.toContain('CompactionThresholdHit');
    await append(application, [user('r', result('c'))]);
    await check(application);
    expect((await eventsOf(application)).map(({ type }) => type)).toContain('CompactionThresholdHit');
  });

  it('leaves the summary, the question, the newest group and a continuation message', async () => {
    const application = await opened('unknown', 20_000);
    for (const name of ['one', 'two', 'three']) {
      await append(application, turn(name, 2_000));
      await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    }
    const steps = Array.from({ length: 6 }, (_, at) => [
      assistant(`s${at}`, call(`k${at}`)),
      user(`t${at}`, result(`k${at}`, filler(8_000))),
    ]).flat();
    await append(application, [user('u', 'do four'), ...steps]);
    await withWorker(application, async () => {
      const { compactionId } = await check(application);
      if (compactionId) await application.outcomes.outcomeOf(ref, compactionId);
    });
    const session = await stateOf(application);
    expect(session.entries.map(({ message }) => String(message.id).replace(/cmp_.*/, ''))).toEqual([
      'u',
      's5',
      't5',
      'continuation-',
    ]);
    const body = JSON.stringify(compose(manifestOf(session), 'anthropic').request);
    expect(body.split('<conversation-record compaction=')).toHaveLength(2);
    expect(body).not.toContain('do three');
  });

  it('prunes with 40,000 and 20,000 tokens after a turn, spares two turns and protected tools, and exports everything', async () => {
    const application = await opened('unknown', 400_000);
    const said = [
      turn('a', 25_000),
      turn('s', 30_000, 'skill'),
      turn('b', 38_000),
      turn('y', 10),
      turn('z', 10),
    ];
    for (const one of said) {
      await append(application, one);
      await application.commands.execute(new CompleteTurn(ref, 'end_turn', caller));
    }
    const events = await eventsOf(application);
    const pruned = events.flatMap((event) => (event.type === 'ToolOutputsPruned' ? [event.data] : []));
    expect(pruned).toHaveLength(1);
    expect(pruned[0]?.outputs.map(({ callId }) => callId)).toEqual(['c-a']);
    const body = JSON.stringify(compose(manifestOf(await stateOf(application)), 'anthropic').request);
    expect(body.split('"type":"image"')).toHaveLength(said.length); // One of five was pruned with its result.
    const exported = events.flatMap((event) =>
      event.type === 'MessageAppended' ? [event.data.message] : [],
    );
    expect(exported).toEqual(said.flat());
  });

  it('applies changed settings from the next check on', async () => {
    const application = await opened('claude-opus-4-1');
    const change = { overrides: { maxOutputTokens: 8_192 } };
    await application.commands.execute(new ChangeSettings(ref, change, caller));
    const { limits, profile } = await stateOf(application);
    expect(usableBudget(limits, profile)).toBe(Tokens(200_000 - 8_192));
  });
});
