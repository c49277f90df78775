import {
  compose,
  estimatedTokens,
  isToolResult,
  type Message,
  manifestOf,
  occupancy,
  resultText,
} from '@app/domain';
import {
  append,
  appendBilled,
  assistant,
  call,
  checkBudget,
  eventsOf,
  filler,
  open,
  result,
  sessionOf,
  user,
} from '@app/testing';

const profile = {
  stages: ['offload-results', 'summarize'],
  maxResultTokens: 500,
  maxResultTokensPerMessage: 900,
  previewTokens: 50,
  exemptTools: ['skill'],
} as const;
/** A result of that many tokens: two are the block's own. */
const sized = (tokens: number): string => filler((tokens - 2) * 4);
const session = (...sizes: readonly number[]) => [
  open({ window: 50_000, profile }),
  append(
    user('u1', 'go'),
    assistant('a1', ...sizes.map((_, at) => call(`c${at}`, 'fetch'))),
    user('r1', ...sizes.map((tokens, at) => result(`c${at}`, sized(tokens)))),
  ),
  checkBudget(),
];
const offloaded = (...sizes: readonly number[]) =>
  eventsOf(...session(...sizes)).flatMap((event) =>
    event.type === 'ToolResultOffloaded' ? [[event.data.callId, event.data.reason]] : [],
  );

describe('offloading tool results', () => {
  // Holds rule 2.13.
  it('offloads a result over the size limit, and none at it', () => {
    expect(offloaded(501)).toEqual([['c0', 'result-too-large']]);
    expect(offloaded(500)).toEqual([]);
  });

  // Holds rule 2.13.
  it('offloads the largest results of a message until their sum is within the limit', () => {
    expect(offloaded(300, 400, 200)).toEqual([]);
    expect(offloaded(300, 401, 200)).toEqual([['c1', 'message-results-too-large']]);
    expect(offloaded(400, 450, 420, 410)).toEqual([
      ['c1', 'message-results-too-large'],
      ['c2', 'message-results-too-large'],
      ['c3', 'message-results-too-large'],
    ]);
  });

  // Holds rule 2.13.
  it('never offloads the result of an exempt tool', () => {
    const events = eventsOf(
      open({ window: 50_000, profile }),
      append(user('u1', 'go'), assistant('a1', call('c0', 'skill')), user('r1', result('c0', sized(5_000)))),
      checkBudget(),
    );
    expect(events.map(({ type }) => type)).not.toContain('ToolResultOffloaded');
  });

  it.each(['Skill', 'SKILL', 'activate_skill'])(
    'never offloads the result of %s, regardless of case',
    (tool) => {
      const { exemptTools: _, ...defaults } = profile;
      const events = eventsOf(
        open({ window: 50_000, profile: defaults }),
        append(user('u1', 'go'), assistant('a1', call('c0', tool)), user('r1', result('c0', sized(30_000)))),
        checkBudget(),
      );
      expect(events.map(({ type }) => type)).not.toContain('ToolResultOffloaded');
    },
  );

  // Claude Code, OpenCode and pi, Gemini CLI, Copilot CLI, OpenHands and SWE-agent.
  const readers = [
    ...['Read', 'NotebookRead', 'Glob', 'Grep', 'read', 'read_file', 'READ_MANY_FILES', 'view'],
    ...['str_replace_editor', 'open'],
  ];
  const reading = (tool: string, ...sizes: readonly number[]) =>
    eventsOf(
      open({ window: 50_000, profile }),
      append(
        user('u1', 'go'),
        assistant('a1', ...sizes.map((_, at) => call(`c${at}`, tool))),
        user('r1', ...sizes.map((tokens, at) => result(`c${at}`, sized(tokens)))),
      ),
      checkBudget(),
    ).flatMap((event) =>
      event.type === 'ToolResultOffloaded' ? [[event.data.callId, event.data.reason]] : [],
    );
  it.each(readers)('keeps up to a quarter of the window of text that %s has read', (tool) => {
    expect(reading(tool, 12_500)).toEqual([]);
    expect(reading(tool, 12_501)).toEqual([['c0', 'result-too-large']]);
    expect(reading(tool, 6_000, 6_001, 500)).toEqual([['c1', 'message-results-too-large']]);
  });

  it('is idempotent: the next check offloads nothing', () => {
    const events = eventsOf(...session(501), checkBudget(), checkBudget());
    expect(events.filter(({ type }) => type === 'ToolResultOffloaded')).toHaveLength(1);
  });

  it('shows the location, the head and the tail of the result, identical in every request', () => {
    const shown = resultsIn(sessionOf(...session(5_000)));
    expect(shown[0]).toMatch(/^<stored-result message="a1" call="c0" tokens="5000">/);
    expect(shown[0]).toContain('characters left out');
    expect(shown[0]?.length).toBeLessThan(600);
    const later = sessionOf(...session(5_000), append(assistant('a2', 'done'), user('u2', 'and now?')));
    expect(resultsIn(later)).toEqual(shown);
  });

  // Holds rule 2.9.
  it('leaves the stored message unchanged and records the saving', () => {
    const before = sessionOf(...session(5_000).slice(0, 2));
    const after = sessionOf(...session(5_000));
    expect(after.entries).toEqual(before.entries);
    expect(estimatedTokens(before) - estimatedTokens(after)).toBe(after.marks.offloaded[0]?.freed);
    const { data } = eventsOf(...session(5_000)).find(({ type }) => type === 'ToolResultOffloaded') ?? {};
    expect(data).toMatchObject({ occupancyAfter: estimatedTokens(after), tokens: 5_000 });
  });

  // Holds rule 1.12.
  it('voids bills of requests that contained the result', () => {
    const [opening, said, check] = session(5_000);
    if (!opening || !said || !check) throw new Error('a session is three commands');
    const billed = appendBilled({ input: 9_000, messageId: 'a2' }, assistant('a2', 'done'));
    expect(occupancy(sessionOf(opening, said, billed))).toBe(9_000);
    const after = sessionOf(opening, said, billed, check);
    expect(after.usage).toBeUndefined();
    expect(occupancy(after)).toBeLessThan(9_000 - 4_000);
  });

  it('cuts between characters', () => {
    const emoji = '👩‍👩‍👧‍👦e\u0301'.repeat(900);
    const cut = sessionOf(
      open({ window: 50_000, profile }),
      append(user('u1', 'go'), assistant('a1', call('c0', 'fetch')), user('r1', result('c0', emoji))),
      checkBudget(),
    );
    const [text = ''] = resultsIn(cut);
    expect(text).toContain('<stored-result');
    expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(text).not.toMatch(/\n[\u0301\u200d]/u);
  });
});

const resultsIn = (session: ReturnType<typeof sessionOf>): string[] => {
  const { request } = compose(manifestOf(session), 'anthropic');
  const messages = request.messages as readonly { readonly content: Message['blocks'] }[];
  return messages.flatMap(({ content }) => content.filter(isToolResult).map(resultText));
};
