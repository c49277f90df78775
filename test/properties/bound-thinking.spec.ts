import Anthropic from '@anthropic-ai/sdk';
import { type Block, compose, manifestOf } from '@app/domain';
import {
  append,
  assistant,
  call as called,
  complete,
  open,
  openOf,
  request,
  result,
  run,
  type SessionRun,
  sized,
  start,
  user,
} from '@app/testing';
import { AnthropicServer, answer, call, redactedThinking, thinking } from '@app/testing/providers';
import fc from 'fast-check';
import { runsOf } from './support/histories.js';

/** Guarantee: after any compaction the provider of a conversation's thinking still accepts it. */
describe('conversation with a model that binds its thinking to earlier content', () => {
  const MODEL = 'claude-opus-5-5';
  const READ = { name: 'read', input_schema: { type: 'object' } };
  let server: AnthropicServer;
  let client: Anthropic;
  beforeAll(async () => {
    server = await AnthropicServer.start();
    client = new Anthropic({ apiKey: 'any', baseURL: server.url, maxRetries: 0 });
  });
  afterAll(() => server.close());
  beforeEach(() => server.forget());

  type Step = 'ask' | 'work' | 'compact';
  /** Runs steps of thinking and answering, with or without a tool call, or compacts. */
  const converse = async (steps: readonly Step[]): Promise<SessionRun> => {
    let held = run([open({ model: MODEL, tools: [READ], window: 100_000, profile: { keepRecentTurns: 1 } })]);
    for (const [at, step] of steps.entries()) {
      if (step === 'compact') {
        held = compacted(held, `c${at}`);
        continue;
      }
      held = run([append(sized(`u${at}`, 'user', 150))], held);
      if (step === 'work') {
        held = await answered(held, `w${at}`, answer(thinking(`Look ${at}.`), call('read', {}, `t${at}`)));
        held = run([append(user(`r${at}`, result(`t${at}`)))], held);
      }
      held = await answered(
        held,
        `a${at}`,
        answer(thinking(`So ${at}.`), redactedThinking('x'), `Done ${at}.`),
      );
    }
    return held;
  };
  const answered = async (
    held: SessionRun,
    id: string,
    reply: ReturnType<typeof answer>,
  ): Promise<SessionRun> => {
    server.reply(reply);
    const { content } = await client.messages.create(JSON.parse(JSON.stringify(requestOf(held))));
    const blocks: Block[] = JSON.parse(JSON.stringify(content));
    return run([append({ ...assistant(id, ...blocks), model: MODEL })], held);
  };
  const requestOf = (held: SessionRun) => compose(manifestOf(openOf(held)), 'anthropic').request;
  /** Compacts if there is something to compact. */
  const compacted = (held: SessionRun, id: string): SessionRun => {
    if (openOf(held).entries.length < 5) return held;
    return run([request(id), start(id), complete(id)], held);
  };

  it('is accepted before, between and after compactions', async () => {
    const steps: readonly Step[] = [
      'ask',
      'work',
      'ask',
      'compact',
      'ask',
      'work',
      'ask',
      'work',
      'compact',
      'work',
      'ask',
    ];
    await converse(steps);
    expect(server.requests.map(({ status }) => status)).toEqual(server.requests.map(() => 200));
    const bodies = server.requests.map(({ text }) => text);
    expect(bodies.filter((body) => body.includes('"thinking":"'))).not.toEqual([]);
    expect(bodies.filter((body) => body.includes('<conversation-record'))).not.toEqual([]);
  });

  it('is accepted after any commands in any order', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom<Step>('ask', 'work', 'compact'), { minLength: 4, maxLength: 9 }),
        async (steps) => {
          server.forget();
          await converse(steps);
        },
      ),
      runsOf(12),
    ));

  it('would be rejected if a compaction kept the thinking of its tail', async () => {
    const held = await converse(['ask', 'ask', 'ask', 'ask']);
    const whole = requestOf(held);
    const { messages } = compactedBody(held);
    const [summary] = messages;
    const kept = JSON.parse(JSON.stringify(whole)).messages.slice(-2);
    const sent = {
      ...JSON.parse(JSON.stringify(whole)),
      messages: [summary, ...kept, { role: 'user', content: 'On' }],
    };
    await expect(client.messages.create(sent)).rejects.toThrow('bound to a different conversation');
  });

  it('is accepted after calls of a tool that its session never declared', async () => {
    const asked = run([open({ model: MODEL, window: 100_000 }), append(sized('u', 'user', 150))]);
    const first = await answered(asked, 'a', answer(thinking('Think first.'), 'Then answer.'));
    // The agent declared the tool in a request of its own; the session sees only the call.
    const held = run(
      [append(user('v', 'On'), assistant('b', called('t', 'read')), user('r', result('t')))],
      first,
    );
    const after = await answered(held, 'c', answer(thinking('So it is.'), call('read', {}, 't2')));
    await answered(run([append(user('r2', result('t2')))], after), 'd', answer('Done.'));
    expect(server.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
    const sent = server.requests.map(({ text }) => text.match(/"thinking":"[^"]*"/g) ?? []);
    expect(sent).toEqual([[], [], ['"thinking":"So it is."']]);
  });
  const compactedBody = (held: SessionRun): { messages: readonly unknown[] } =>
    JSON.parse(JSON.stringify(requestOf(run([request('c'), start('c'), complete('c')], held))));
});
