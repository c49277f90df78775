import { setTimeout as pause } from 'node:timers/promises';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

const SUMMARY = '## Goal\nGo on with the migration.\n\n## State\nUnder way.';
/** About a thousand tokens of test output. */
const OUTPUT = Array.from(
  { length: 55 },
  (_, n) => `FAIL src/module-${n}.spec.ts line ${n * 7} expected 3`,
).join('\n');

type Message = {
  readonly id: string;
  readonly role: string;
  readonly content: unknown;
  readonly reasoning?: string;
};
type Provenance = {
  readonly status: string;
  readonly rule: string;
  readonly stages: readonly string[];
  readonly outputs: readonly { readonly rule: string }[];
  readonly reasoning: { readonly rule: string; readonly isDisposable: boolean };
};
type Turn = { readonly rule: string; readonly toolOutputs: string; readonly reasoning: string };

const step = (n: number, tool = 'Bash'): Message[] => [
  { id: `a${n}`, role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name: tool, input: { n } }] },
  { id: `r${n}`, role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: OUTPUT }] },
];
const steps = (count: number): Message[] => Array.from({ length: count }, (_, n) => step(n)).flat();
const talk = (n: number, size = 60): Message[] => [
  { id: `u${n}`, role: 'user', content: `Question ${n}. ${'Why does the parser fail there? '.repeat(size)}` },
  { id: `b${n}`, role: 'assistant', content: `Answer ${n}. ${'Because of the seventh line. '.repeat(size)}` },
];

/** Guarantee: every view of a session agrees with the request that is sent, with any omissions by stages. */
describe('stages over HTTP', () => {
  let provider: AnthropicServer;
  let api: ApiServer;
  beforeAll(async () => {
    provider = await AnthropicServer.start({
      ...{ key: 'k', script: () => answer(SUMMARY) },
      // The reasoning blocks below have no provider signature.
      trustsForeignThinking: true,
    });
    api = await ApiServer.start({
      PALIMPSEST_SUMMARIZER: 'anthropic:claude-opus-4-6',
      PALIMPSEST_ANTHROPIC_API_KEY: 'k',
      PALIMPSEST_ANTHROPIC_BASE_URL: provider.url,
    });
  });
  afterAll(async () => {
    await api.stop();
    await provider.close();
  });

  const get = async <Body>(path: string): Promise<Body> => (await api.call('GET', path)).body as Body;
  const opened = async (session: string, overrides: object = {}, window = 100_000): Promise<string> => {
    const path = `/v1/sessions/${session}`;
    const body = { session, model: 'claude-opus-4-6', window, profile: 'staged' };
    expect(await api.call('POST', '/v1/sessions', body)).toMatchObject({ status: 201 });
    if (Object.keys(overrides).length > 0)
      expect(await api.call('PATCH', `${path}/settings`, { overrides })).toMatchObject({ status: 200 });
    return path;
  };
  const say = async (path: string, messages: readonly Message[]): Promise<void> => {
    for (let at = 0; at < messages.length; at += 40) {
      const appended = await api.call('POST', `${path}/messages`, { messages: messages.slice(at, at + 40) });
      expect(appended).toMatchObject({ status: 200 });
    }
  };
  type Composed = {
    readonly outcome: string;
    readonly occupancy: number;
    readonly stages: readonly string[];
    readonly request: unknown;
  };
  const compose = async (path: string): Promise<Composed> =>
    (await api.call('POST', `${path}/compose`, {})).body as Composed;
  const eventsOf = async (path: string, type: string): Promise<readonly Record<string, unknown>[]> =>
    String((await api.call('GET', `${path}/events`)).body)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter((event) => event.type === type)
      .map((event) => event.data);
  const provenance = (path: string, id: string) => get<Provenance>(`${path}/messages/${id}/provenance`);
  const retention = async (path: string): Promise<readonly Turn[]> =>
    (await get<{ readonly retention: readonly Turn[] }>(`${path}/context`)).retention;
  /** Returns the row of a session once its projection has caught up. */
  const rowOf = async (session: string) => {
    const now = await get<{ readonly messages: number }>(`/v1/sessions/${session}`);
    for (;;) {
      // Beside much other work the answer may be that the rows are behind.
      const { items = [] } = await get<{ readonly items?: readonly Record<string, unknown>[] }>(
        '/v1/sessions?limit=100',
      );
      const row = items.find((one) => one.session === session);
      if (row?.messages === now.messages) return row;
      await pause(50);
    }
  };

  describe('turn of 88 steps', () => {
    let path: string;
    beforeAll(async () => {
      path = await opened('long-turn');
      await say(path, [
        { id: 'u0', role: 'user', content: 'Run all the tests, one after the other.' },
        ...steps(88),
      ]);
    });

    // Holds rule 2.10.
    it('is snipped and cleared before a summary is requested', async () => {
      const composed = await compose(path);
      expect(composed).toMatchObject({ outcome: 'composed', stages: ['snip', 'micro'] });
      expect(composed.occupancy).toBeLessThan(60_000);
      expect(await eventsOf(path, 'CompactionRequested')).toEqual([]);
      const text = JSON.stringify(composed.request);
      expect([text.includes('"t0"'), text.includes('"t87"')]).toEqual([false, true]);
    });

    it('is listed with the size of the request that is sent', async () => {
      const { occupancy } = await compose(path);
      expect(await rowOf('long-turn')).toMatchObject({ occupancy, state: 'normal' });
      expect(await get(path)).toMatchObject({ budget: { occupancy, state: 'normal' } });
    });

    it('is described alike by every view', async () => {
      expect(await provenance(path, 'a0')).toMatchObject({
        status: 'omitted',
        rule: 'snipped',
        stages: ['snip'],
      });
      expect(await provenance(path, 'u0')).toMatchObject({ status: 'in-full', rule: 'verbatim', stages: [] });
      expect(await provenance(path, 'r45')).toMatchObject({
        status: 'in-part',
        outputs: [{ callId: 't45', rule: 'cleared', droppedBy: null }],
        stages: ['micro'],
      });
      expect(await provenance(path, 'r87')).toMatchObject({ status: 'in-full', outputs: [] });
      expect(await retention(path)).toMatchObject([{ turn: 1, rule: 'snipped', toolOutputs: 'snipped' }]);
    });

    it('shows the messages that one of two revisions omits in their diff', async () => {
      const { messages } = await get<{
        readonly messages: {
          readonly changed: readonly { readonly id: string; readonly a: object; readonly b: object }[];
        };
      }>(`${path}/diff?a=20&b=177`);
      const changed = new Map(messages.changed.map((one) => [one.id, one]));
      expect(changed.get('a0')).toMatchObject({
        a: { rule: 'verbatim' },
        b: { rule: 'snipped', countedTokens: 0 },
      });
      expect(changed.has('u0')).toBe(false);
    });

    it('is compacted to less than the request that was sent, in the same unit', async () => {
      const before = await compose(path);
      const outcome = await api.call('POST', `${path}/compactions?wait=true`, {});
      const [completed] = await eventsOf(path, 'CompactionCompleted');
      if (completed) {
        expect(Number(completed.countedAfter)).toBeLessThanOrEqual(0.9 * before.occupancy);
      } else expect(outcome.body).toMatchObject({ outcome: 'skipped' });
      const after = await compose(path);
      expect(after.occupancy).toBeLessThanOrEqual(before.occupancy);
      expect(await rowOf('long-turn')).toMatchObject({ occupancy: after.occupancy });
    });
  });

  it('snips old turns of a chat without tools, and reports it', async () => {
    const path = await opened('chat');
    // Twelve turns come to three quarters of the window.
    const turns = Array.from({ length: 12 }, (_, n) => talk(n, 470)).flat();
    await say(path, turns);
    const composed = await compose(path);
    expect(composed).toMatchObject({ outcome: 'composed', stages: ['snip'] });
    expect(composed.occupancy).toBeLessThan(70_000);
    expect(await provenance(path, 'u0')).toMatchObject({ status: 'omitted', rule: 'snipped' });
    const rules = (await retention(path)).map(({ rule }) => rule);
    expect([rules.filter((rule) => rule === 'snipped').length, rules.at(-1)]).toEqual([4, 'verbatim']);
    expect(await rowOf('chat')).toMatchObject({ occupancy: composed.occupancy });
  });

  it('exempts skills from every stage, and file reads from off-loading, ignoring the case of tool names', async () => {
    const path = await opened('spared', {}, 200_000);
    const large = 'const answer = 42; // a line of a large file\n'.repeat(1_600);
    const call = (n: number, name: string): Message[] => [
      { id: `a${n}`, role: 'assistant', content: [{ type: 'tool_use', id: `t${n}`, name, input: {} }] },
      { id: `r${n}`, role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${n}`, content: large }] },
    ];
    const names = ['Skill', 'READ', 'read_file', 'view', 'Bash'];
    await say(path, [
      { id: 'u0', role: 'user', content: 'go' },
      ...names.flatMap((name, n) => call(n, name)),
    ]);
    await compose(path);
    const offloaded = await eventsOf(path, 'ToolResultOffloaded');
    expect(offloaded.map(({ callId }) => callId)).toEqual(['t4']);
    expect(await provenance(path, 'r4')).toMatchObject({
      status: 'in-part',
      outputs: [{ rule: 'offloaded' }],
    });
  });

  it('shows collapsed turns as collapsed, and as changed in a diff', async () => {
    const small = { stages: ['summarize', 'collapse'], maxAttempts: 1, summarizer: 'none-of-that-name' };
    const path = await opened('collapsed', small, 10_000);
    for (let n = 0; n < 8; n += 1) {
      await say(path, talk(n, 80));
      await api.call('POST', `${path}/complete-turn`, {});
    }
    const { revision } = await get<{ readonly revision: number }>(path);
    // After a failed compaction the next request is critical.
    await say(path, talk(9, 110));
    await compose(path);
    const { outcome } = await compose(path);
    const collapsed = await eventsOf(path, 'SegmentCollapsed');
    expect([outcome, collapsed.length > 0]).toEqual(['composed', true]);
    expect(await provenance(path, 'u0')).toMatchObject({
      status: 'omitted',
      rule: 'collapsed',
      stages: ['collapse'],
    });
    const rules = (await retention(path)).map(({ rule }) => rule);
    expect(rules.filter((rule) => rule === 'collapsed')).toHaveLength(collapsed.length);
    const now = await get<{ readonly revision: number }>(path);
    const { messages } = await get<{
      readonly messages: { readonly changed: readonly { readonly id: string }[] };
    }>(`${path}/diff?a=${revision}&b=${now.revision}`);
    expect(messages.changed.map(({ id }) => id)).toEqual(expect.arrayContaining(['u0', 'b0']));
  });

  describe('removed reasoning', () => {
    const thinking = (n: number) => ({
      type: 'thinking',
      thinking: `SECRET-THOUGHT-${n} about line ${n}`,
      signature: `s${n}`,
    });
    const thought = (n: number, reasoning?: 'disposable'): Message[] => [
      { id: `u${n}`, role: 'user', content: `Question ${n}. ${'Why does it fail? '.repeat(60)}` },
      {
        ...{ id: `b${n}`, role: 'assistant' },
        content: [thinking(n), { type: 'text', text: `Answer ${n}. ${'Because of line 7. '.repeat(60)}` }],
        ...(reasoning && { reasoning }),
      },
    ];
    const shown = (): string => provider.requests.map(({ text }) => text).join('\n');

    // Holds rule 3.3.
    it.each(['transcript', 'prefix'] as const)(
      'reaches no summarizer with the %s prompt, and stays removed',
      async (summaryInput) => {
        const overrides = { reasoning: 'drop-when-compacted', stages: ['summarize'], summaryInput };
        const path = await opened(`dropped-${summaryInput}`, overrides);
        for (let n = 0; n < 9; n += 1) await say(path, thought(n));
        provider.forget();
        expect((await api.call('POST', `${path}/compactions?wait=true`, {})).body).toMatchObject({
          outcome: 'completed',
        });
        expect(shown()).toContain('Answer 3.');
        expect(shown()).not.toContain('SECRET-THOUGHT-3');
        expect(await provenance(path, 'b3')).toMatchObject({
          status: 'covered',
          reasoning: { rule: 'dropped', isDisposable: false },
        });
        const covered = (await retention(path)).filter(({ rule }) => rule === 'summarized');
        expect(new Set(covered.map(({ reasoning }) => reasoning))).toEqual(new Set(['dropped']));
      },
    );

    it('leaves requests after its turn, and reaches no summarizer, if the caller marks it as disposable', async () => {
      const path = await opened('disposed', { stages: ['summarize'] });
      for (let n = 0; n < 9; n += 1) await say(path, thought(n, n === 3 ? 'disposable' : undefined));
      const { request } = await compose(path);
      expect(JSON.stringify(request)).not.toContain('SECRET-THOUGHT-3');
      expect(JSON.stringify(request)).toContain('SECRET-THOUGHT-4');
      expect(await provenance(path, 'b3')).toMatchObject({
        status: 'in-part',
        reasoning: { rule: 'dropped', isDisposable: true },
        stages: ['drop-reasoning'],
      });
      provider.forget();
      await api.call('POST', `${path}/compactions?wait=true`, {});
      expect(shown()).toContain('SECRET-THOUGHT-4');
      expect(shown()).not.toContain('SECRET-THOUGHT-3');
      expect(await provenance(path, 'b3')).toMatchObject({
        status: 'covered',
        reasoning: { rule: 'dropped' },
      });
      expect(await provenance(path, 'b4')).toMatchObject({
        status: 'covered',
        reasoning: { rule: 'summarized' },
      });
    });

    it('is not a field of user messages', async () => {
      const path = await opened('refused');
      const messages = [{ role: 'user', content: 'hello', reasoning: 'disposable' }];
      expect(await api.call('POST', `${path}/messages`, { messages })).toMatchObject({ status: 400 });
    });

    it('is not reported as verbatim if no request contains it', async () => {
      const path = await opened('unsigned', { stages: ['summarize'] });
      await say(path, [
        { id: 'u0', role: 'user', content: 'Why?' },
        {
          ...{ id: 'b0', role: 'assistant' },
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'Because.' },
          ],
        },
      ]);
      expect(await retention(path)).toMatchObject([{ rule: 'verbatim', reasoning: 'omitted' }]);
      expect(await provenance(path, 'b0')).toMatchObject({ status: 'in-part', stages: ['compose'] });
    });
  });
});
