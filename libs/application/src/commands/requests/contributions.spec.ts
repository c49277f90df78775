import { AppendMessages, ComposeRequest, ContributionCollector } from '@app/application';
import { type Contribution, compose, frameContribution, manifestOf } from '@app/domain';
import { invariant } from '@app/kernel';
import type { ContextProvider } from '@app/ports';
import {
  type Application,
  caller,
  composing,
  filledSession,
  openApplication,
  openMemoryLog,
  openSession,
  recordedEvents,
  sessionRef,
  textMessage,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
const saying = (name: string, contribute: ContextProvider['contribute']): ContextProvider => ({
  name,
  contribute,
});

const opened = async (...providers: ContextProvider[]): Promise<Application> => {
  const application = openApplication({ ...openMemoryLog(), providers });
  await openSession(application, ref);
  await application.commands.execute(new AppendMessages(ref, [textMessage('q1', 'go')], caller));
  return application;
};
const composed = async (application: Application, ...contributions: Contribution[]) => {
  const answer = await composing(application, { contributions, withBody: true });
  invariant(answer.outcome === 'composed', 'it is');
  return answer;
};

describe('context providers', () => {
  it('run for every request, before the contributions of the caller', async () => {
    let asked = 0;
    const count = async () => {
      asked += 1;
      return `asked ${asked} times`;
    };
    const application = await opened(saying('count', count));
    const first = await composed(application, { name: 'todo', text: 'call back' });
    expect(first.body).toMatch(/asked 1 times.*call back/);
    expect(first.contributions?.map(({ name }) => name)).toEqual(['count', 'todo']);
    const framed = frameContribution({ name: 'todo', text: 'call back' });
    expect(first.contributions?.[1]?.tokens).toBe(Math.ceil(framed.length / 4));
    const second = await composed(application);
    expect(second.body).toMatch(/asked 2 times/);
    expect(second.body).not.toContain('call back');
  });

  it('that fail, throw synchronously or time out are omitted and named without affecting the others', async () => {
    const application = await opened(
      saying('rejects', async () => Promise.reject(new Error('a secret'))),
      saying('throws', () => {
        throw new Error('a secret');
      }),
      saying('hangs', () => new Promise(() => undefined)),
      saying('works', async () => 'at work'),
      saying('silent', async () => ' '),
    );
    const answer = await composed(application);
    expect(answer.failedProviders).toEqual(['rejects', 'throws', 'hangs']);
    expect(answer.contributions?.map(({ name }) => name)).toEqual(['works']);
    const events = await recordedEvents(application.log, ref);
    expect(JSON.stringify(events)).not.toMatch(/a secret/);
    // The text is recorded once, as a part of requests: no other event has it.
    const others = events.filter(({ type }) => type !== 'RequestPartsChanged');
    expect(JSON.stringify(others)).not.toMatch(/at work/);
  });

  it('must have unique names', () => {
    const counter = { estimator: 'none', count: () => 0 };
    const one = saying('one', async () => 'x');
    expect(() => new ContributionCollector([one, one], counter)).toThrow(/one name/);
    expect(() => new ContributionCollector([saying('a b', async () => 'x')], counter)).toThrow(/not one/);
  });

  it.each([['todo', 'todo'], ['a b'], [''], ['-x']])(
    'leave a request with contributions called %j rejected',
    async (...names) => {
      const application = await opened();
      const contributions = names.map((name) => ({ name, text: 'x' }));
      const answer = application.commands.execute(
        new ComposeRequest(ref, { format: 'anthropic', contributions }, caller),
      );
      await expect(answer).rejects.toMatchObject({ code: 'invalid-settings' });
    },
  );
});

it('leave context and bytes of requests without contributions unchanged', async () => {
  const application = await opened();
  const before = await composed(application);
  await composed(application, { name: 'todo', text: 'call back' });
  const after = await composed(application);
  expect(after.digest).toBe(before.digest);
  expect(after).not.toHaveProperty('contributions');
  const { state } = await application.sessions.load(ref);
  invariant(state.status === 'open', 'it is');
  expect(JSON.stringify(compose(manifestOf(state), 'anthropic').request)).toBe(before.body);
});

it('count towards the size that triggers a compaction or a refusal', async () => {
  const large = { name: 'found', text: 'x'.repeat(4 * 2_000) };
  const automatic = await filledSession(7_900, { mode: 'automatic' });
  const answer = await withWorker(automatic, () => composing(automatic, { contributions: [large] }));
  expect(answer).toMatchObject({ outcome: 'composed', epoch: 1 });
  expect(answer).not.toHaveProperty('ladder');
  const authorized = await filledSession(7_900);
  expect(await composing(authorized, { contributions: [large] })).toMatchObject({
    outcome: 'refused',
    reason: 'blocking',
    remedies: [
      { remedy: 'compact' },
      { remedy: 'reset' },
      { remedy: 'reduce-context', billedAfter: 7_900 },
      { remedy: 'shorten', billedAfter: expect.any(Number) },
      { remedy: 'use-larger-model' },
    ],
    contributions: [{ name: 'found' }],
  });
  expect(await composing(authorized)).toMatchObject({ outcome: 'composed' });
});
