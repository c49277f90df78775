import {
  type Block,
  compose,
  isToolResult,
  manifestOf,
  occupancy,
  type Profile,
  resultText,
  type SessionCommand,
  type ToolResultBlock,
} from '@app/domain';
import {
  append,
  assistant,
  BLOCK_TOKENS,
  call,
  checkBudget,
  completeTurn,
  eventsOf,
  filler,
  image,
  open,
  result,
  run,
  sessionOf,
  user,
} from '@app/testing';

type Masking = {
  readonly stage: 'prune' | 'micro' | 'offload-results';
  readonly profile: Partial<Profile>;
  /** The first words of the line that replaces a result. */
  readonly mask: string;
  /** The largest result whose replacement saves nothing. */
  readonly noGain: number;
  /** Old results that are masked, of four. */
  readonly masked: readonly string[];
  /** A policy under which none of the four is masked, since they are recent enough. */
  readonly sparing?: Partial<Profile>;
};
const WINDOW = 100_000;
const COMMON = { exemptTools: ['skill'], triggerAtShare: 0.94, warnAtShare: 0.93 } as const;
const OFFLOADING: Masking = {
  stage: 'offload-results',
  profile: {
    ...COMMON,
    stages: ['offload-results', 'summarize'],
    offloadExemptTools: [],
    maxResultTokens: 40,
    previewTokens: 20,
  },
  mask: '<stored-result',
  noGain: 116,
  masked: ['c1', 'c2', 'c3', 'c4'],
};
const MASKINGS: readonly Masking[] = [
  {
    stage: 'prune',
    profile: {
      ...COMMON,
      stages: ['prune', 'summarize'],
      pruneKeepTokens: 0,
      pruneMinGainTokens: 0,
      pruneKeepTurns: 2,
    },
    mask: '[This tool output was dropped',
    noGain: 32,
    masked: ['c1', 'c2'],
    sparing: { pruneKeepTurns: 4 },
  },
  {
    stage: 'micro',
    profile: {
      ...COMMON,
      stages: ['micro', 'summarize'],
      viewAtShare: 0.001,
      microKeepResults: 1,
      viewKeepShare: 2_200 / WINDOW,
    },
    mask: '[This old result was left out',
    noGain: 32,
    masked: ['c1', 'c2'],
    sparing: { viewKeepShare: 5_000 / WINDOW },
  },
  OFFLOADING,
];

const text = (tokens: number): string => filler((tokens - BLOCK_TOKENS) * 4);
const turn = (n: number, content: ToolResultBlock['content'], tool = 'read'): SessionCommand[] => [
  append(
    user(`u${n}`, 'go'),
    assistant(`a${n}`, call(`c${n}`, tool)),
    user(`r${n}`, result(`c${n}`, content)),
    assistant(`b${n}`, 'done'),
  ),
  completeTurn(),
];
const played = ({ profile }: Masking, ...turns: SessionCommand[][]): SessionCommand[] => [
  open({ window: WINDOW, profile }),
  ...turns.flat(),
  checkBudget(),
];
const fourTurns = (): SessionCommand[][] => [1, 2, 3, 4].map((n) => turn(n, text(1_000)));

/** The results in a request, by call id. */
const resultsIn = (commands: readonly SessionCommand[]): ReadonlyMap<string, ToolResultBlock> => {
  const { request, violations } = compose(manifestOf(sessionOf(...commands)), 'anthropic');
  expect(violations).toEqual([]);
  const messages = request.messages as readonly { readonly content: readonly Block[] }[];
  const results = messages.flatMap(({ content }) => content.filter(isToolResult));
  return new Map(results.map((block) => [block.tool_use_id, block]));
};
const maskedIn = (commands: readonly SessionCommand[], { mask }: Masking): string[] =>
  [...resultsIn(commands)].flatMap(([id, block]) => (resultText(block).startsWith(mask) ? [id] : []));

describe.each(MASKINGS)('case 30: masking of tool outputs by $stage', (masking) => {
  it('masks those of older turns; every call keeps a result, and stored messages stay unchanged', () => {
    const commands = played(masking, ...fourTurns());
    expect(maskedIn(commands, masking)).toEqual(masking.masked);
    expect([...resultsIn(commands).keys()]).toEqual(['c1', 'c2', 'c3', 'c4']);
    const stored = sessionOf(...commands).entries.flatMap(({ message }) =>
      message.blocks.filter(isToolResult),
    );
    expect(stored.map(resultText)).toEqual([1, 2, 3, 4].map(() => text(1_000)));
  });

  it('never masks those of exempt tools', () => {
    const exempt = [turn(1, text(1_000), 'skill'), ...fourTurns().slice(1)];
    expect(maskedIn(played(masking, ...exempt), masking)).toEqual(masking.masked.filter((id) => id !== 'c1'));
  });

  it('is idempotent: a second run records nothing and changes no byte', () => {
    const once = run(played(masking, ...fourTurns()));
    const again = [checkBudget('again'), completeTurn(), checkBudget('and-again')];
    expect(run(again, once).stream).toHaveLength(once.stream.length);
    const commands = played(masking, ...fourTurns());
    expect(resultsIn([...commands, ...again])).toEqual(resultsIn(commands));
  });

  it('is rejected if the replacement would enlarge the request', () => {
    const { noGain } = masking;
    const others = fourTurns().slice(1);
    const small = played(masking, turn(1, text(noGain)), ...others);
    const large = played(masking, turn(1, text(noGain + 1)), ...others);
    expect(maskedIn(small, masking)).not.toContain('c1');
    expect(maskedIn(large, masking)).toContain('c1');
    const bytes = (commands: SessionCommand[]): number =>
      resultText(resultsIn(commands).get('c1') ?? result('c1')).length;
    expect(bytes(large)).toBeLessThanOrEqual(text(noGain + 1).length);
  });

  it('replaces media with the text, and mentions them in the line', () => {
    const seen = [{ type: 'text' as const, text: text(1_000) }, image()];
    const commands = played(masking, turn(1, seen), ...fourTurns().slice(1));
    expect(JSON.stringify(resultsIn(commands).get('c1'))).not.toContain('"type":"image"');
    expect(maskedIn(commands, masking)).toContain('c1');
    expect(JSON.stringify(sessionOf(...commands).entries)).toContain('"type":"image"');
  });

  it('reduces the counted size of the next request', () => {
    const plain = { ...masking, profile: { ...masking.profile, stages: ['summarize' as const] } };
    const masked = sessionOf(...played(masking, ...fourTurns()));
    expect(occupancy(masked)).toBeLessThan(occupancy(sessionOf(...played(plain, ...fourTurns()))));
  });
});

describe('case 30: protection from masking', () => {
  it.each(MASKINGS.filter(({ sparing }) => sparing !== undefined))(
    'by $stage covers the newest turns that the policy names',
    (masking) => {
      const two = played(masking, ...fourTurns());
      const all = { ...masking, profile: { ...masking.profile, ...masking.sparing } };
      expect(maskedIn(two, masking)).not.toContain('c3');
      expect(maskedIn(played(all, ...fourTurns()), masking)).toEqual([]);
    },
  );

  it('does not cover a result above the size limit of a request', () => {
    const commands = played(OFFLOADING, turn(1, text(1_000)));
    expect(eventsOf(...commands).map(({ type }) => type)).toContain('ToolResultOffloaded');
  });
});
