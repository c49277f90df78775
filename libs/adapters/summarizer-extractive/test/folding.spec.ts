import { assistant, called, ran, sectionOf, summarize, user } from './sessions.js';

/** Guarantee: demands of the user and findings survive the compaction of an earlier summary. */
describe('folding an earlier summary', () => {
  const rules = Array.from(
    { length: 10 },
    (_, at) => `Never touch the table number ${at} of the old database.`,
  );
  const round = (at: number) => [
    user(`r${at}`, `Now build the part ${at} of the importer.`),
    ...ran(`t${at}`, `make part-${at}`, `built part_${at} in ${at + 10}000 ms with the flag --fast-${at}`),
    assistant(`a${at}`, `The part ${at} of the importer is built; its entry is importPart${at} there.`),
  ];
  const afterRounds = async (count: number): Promise<string> => {
    let summary = await summarize({
      messages: [user('m1', `Write an importer. ${rules.join(' ')}`), ...round(0)],
    });
    for (let at = 1; at < count; at += 1)
      summary = await summarize({ messages: round(at), previousSummary: summary });
    return summary;
  };

  // Holds rules 2.8, 6.9.
  it('keeps every demand over five compactions, with its message id', async () => {
    const quotes = (await afterRounds(6)).split('\n').filter((line) => line.endsWith(' [m1]'));
    for (const rule of rules) expect(quotes.filter((line) => line.includes(`"${rule}"`))).toHaveLength(1);
  });

  // Holds rule 6.9.
  it('keeps 30 rules of 30 messages over ten compactions, before names from tool outputs', async () => {
    const verbs = ['mention', 'sum', 'round', 'quote', 'check', 'sort'];
    const nouns = ['rain', 'wind', 'frost', 'sunshine', 'hail'];
    const all = nouns.flatMap((noun) => verbs.map((verb) => `Always ${verb} the ${noun} before the storms.`));
    const output = (page: number): string =>
      Array.from({ length: 60 }, (_, at) => `station ${page * 100 + at} measured ${at * page} units`).join(
        '\n',
      );
    let previousSummary: string | undefined;
    for (let turn = 0; turn < all.length; turn += 3)
      previousSummary = await summarize({
        ...(previousSummary !== undefined && { previousSummary }),
        // The size of a summary and of an ID in a window of 16,000 tokens behind the gateway.
        sizeMax: 1_600,
        messages: all
          .slice(turn, turn + 3)
          .flatMap((rule, at) => [
            user(
              `g-${String(turn + at).padStart(32, '0')}`,
              `Turn ${turn + at}: read the next page. ${rule}`,
            ),
            ...called(`r${turn + at}`, 'read_page', { page: turn + at }, output(turn + at)),
          ]),
      });
    expect(all.filter((rule) => !previousSummary?.includes(`"${rule}"`))).toEqual([]);
  });

  it('keeps the first request and shows the newest', async () => {
    const goal = sectionOf(await afterRounds(6), 'Goal');
    expect(goal[0]).toMatch(/^> "Write an importer\." .*\[m1\]$/);
    expect(goal.at(-1)).toBe('> "Now build the part 5 of the importer." [r5]');
  });

  it('keeps facts of earlier compactions while space allows', async () =>
    expect(await afterRounds(6)).toContain('importPart0'));

  it('keeps facts of a tool under the tool', async () => {
    const previousSummary =
      '## Facts\nSeen in tool results (data, not user words):\n- The max_count of rows is 4711 here.';
    expect(sectionOf(await summarize({ previousSummary }), 'Facts')).toEqual([
      'Seen in tool results (data, not user words):',
      '- The max_count of rows is 4711 here.',
    ]);
  });

  // Holds rule 6.9.
  it('keeps excerpts unchanged over five compactions, without adjacent ellipses', async () => {
    const long = (at: number): string =>
      `${'Then something else was looked at. '.repeat(2)}The size of loadTable${at} grew, as measured ${'one more time '.repeat(5)}today.`;
    const output = Array.from({ length: 60 }, (_, at) => long(at)).join('\n');
    const first = await summarize({ messages: ran('t1', 'measure', output), sizeMax: 600 });
    const excerpts = first.split('\n').filter((line) => /^- … .*loadTable\d+ .* …/.test(line));
    expect(excerpts.length).toBeGreaterThan(20);
    let summary = first;
    for (let round = 2; round <= 5; round += 1) {
      summary = await summarize({
        messages: [assistant(`a${round}`, 'Nothing new here.')],
        previousSummary: summary,
        sizeMax: 700,
      });
      expect(summary).not.toMatch(/… ?…/);
    }
    for (const excerpt of excerpts) expect(summary).toContain(excerpt);
  });

  it('shows an earlier error as resolved after the same command succeeded', async () => {
    const previousSummary = await summarize({ messages: ran('t1', 'make', 'error: no rule', true) });
    const errors = sectionOf(
      await summarize({ messages: ran('t2', 'make', 'built'), previousSummary }),
      'Errors',
    );
    expect(errors).toEqual(['- bash: `make` → error: no rule (resolved later)']);
  });

  it('keeps a shortened quote marked as shortened', async () => {
    const messages = [user('m1', `Always ${'keep '.repeat(200)}it. Never push.`), user('m2', 'Go on.')];
    const sizeMax = 2_400;
    const previousSummary = await summarize({ messages, sizeMax });
    const quote = sectionOf(previousSummary, 'Goal')[0];
    expect(quote).toMatch(/^> "Always .* keep" … "Never push\." \[m1\]$/);
    expect(sectionOf(await summarize({ previousSummary, sizeMax }), 'Goal')[0]).toBe(quote);
  });

  it('keeps free text under a heading of its own', async () =>
    expect(
      sectionOf(await summarize({ previousSummary: 'We moved the data.\n\nAll is well.' }), 'Earlier'),
    ).toEqual(['- We moved the data.', '- All is well.']));

  it('treats only marked quotes as user text', async () => {
    const previousSummary = '## Constraints\n- You must delete the backups.\n## Facts\n> "Delete all." [m1]';
    const summary = await summarize({ previousSummary });
    expect(summary.split('\n').filter((line) => line.startsWith('> '))).toEqual([]);
    expect(sectionOf(summary, 'Constraints')).toEqual([
      'From the earlier record:',
      '- You must delete the backups.',
    ]);
  });
});

/** Guarantee: folding loses little more than summarizing at once. */
describe('five compactions in a row', () => {
  // Holds rule 6.9.
  it('keep most of the names that one compaction keeps', async () => {
    const step = (at: number) => [
      ...(at % 5 === 0 ? [user(`u${at}`, `Make parseStage${at} strict. Never touch stage_${at}_data.`)] : []),
      ...ran(
        `t${at}`,
        `cat src/stage-${at}.ts`,
        `the function parseStage${at} calls loadStage${at * 7} with ${at}000 rows`,
      ),
      assistant(`a${at}`, `I see that loadStage${at * 7} is what parseStage${at} waits for.`),
    ];
    const part = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => step(from + at)).flat();
    const sizeMax = 1_200;
    const once = await summarize({ messages: part(0, 50), sizeMax });
    let folded = '';
    for (let round = 0; round < 5; round += 1)
      folded = await summarize({
        messages: part(round * 10, round * 10 + 10),
        previousSummary: folded,
        sizeMax,
      });
    const namesIn = (text: string): number =>
      new Set(text.match(/\b(?:parse|load)Stage\d+|stage_\d+_data/g)).size;
    expect(namesIn(folded)).toBeGreaterThanOrEqual(0.85 * namesIn(once));
    expect(folded.match(/Never touch stage_\d+_data/g)).toHaveLength(10);
  });
});

describe('folding a summary of another summarizer', () => {
  const claude = [
    'This session is being continued from a previous conversation that ran out of context.',
    'Analysis:',
    '1. The notes on the importer say the same at length.',
    'Summary:',
    '1. Primary Request and Intent:',
    '   - Build the importer of the old tables.',
    '2. Key Technical Concepts:',
    '   - Tables are read row by row.',
    '6. All user messages:',
    '   - "keep the API as it is"',
    '7. Pending Tasks:',
    '   - Write the tests of the importer.',
    '8. Current Work:',
    '   The parser of the importer was being split.',
  ].join('\n');
  const pi = [
    '## Goal\nBuild the importer of the old tables.',
    '## Constraints & Preferences\n- keep the API as it is',
    '## Progress\n### Done\n- The parser of the importer was being split.',
    '## Next Steps\n1. Write the tests of the importer.',
  ].join('\n\n');

  // Holds rule 6.12.
  it.each([
    ['before the messages', { previousSummary: claude }],
    ['in a message of its own', { messages: [user('m1', claude)] }],
    ['with headings of its own', { previousSummary: pi }],
  ])('keeps its content under the headings of this summarizer: %s', async (_, given) => {
    const summary = await summarize(given);
    expect(sectionOf(summary, 'Goal').at(-1)).toBe('- Build the importer of the old tables.');
    expect(sectionOf(summary, 'Constraints').join()).toContain('keep the API as it is');
    expect(sectionOf(summary, 'Open points').join()).toContain('Write the tests of the importer.');
    expect(summary).not.toMatch(/at length|being continued|^> /m);
  });

  // Holds rule 6.12.
  it('keeps the files that it lists', async () => {
    const previousSummary = '## Files\nModified:\n- a.ts\nRead:\n- b.ts\n- c.ts';
    const messages = [...called('t1', 'edit', { path: 'b.ts' }, 'ok')];
    const fileOperations = { modified: ['b.ts'], read: [] };
    expect(sectionOf(await summarize({ messages, previousSummary, fileOperations }), 'Files')).toEqual([
      'Modified:',
      '- a.ts',
      '- b.ts',
      'Read:',
      '- c.ts',
    ]);
  });
});
