import type { Profile, Trigger } from '@app/domain';
import fc from 'fast-check';
import { hugeTexts, texts } from './texts.js';

export type Thought = {
  readonly kind: 'signed' | 'unsigned' | 'redacted' | 'foreign';
  readonly text: string;
};
export type CallStep = { readonly id: 'new' | 'reused' | 'awkward' | 'twin'; readonly file: number };
/** Management of a session by users and platforms. */
export type Management =
  | 'reset'
  | 'revert'
  | 'pin'
  | 'unpin'
  | 'settings'
  | 'switch-model'
  | 'cancel'
  | 'defer'
  | 'release'
  | 'describe'
  | 'hold'
  | 'unhold'
  | 'retain'
  | 'edits';
export type ResultContent = {
  readonly form: 'string' | 'parts' | 'image' | 'blank' | 'none';
  readonly text: string;
};

/**
 * A step of a session's history. A step has a kind; the resulting command depends on the session (a result needs a
 * call to answer), so that any list of steps is a possible history.
 */
export type Step =
  | { readonly do: 'user'; readonly text: string; readonly image: boolean }
  | {
      readonly do: 'assistant';
      readonly text: string | undefined;
      readonly thoughts: readonly Thought[];
      readonly calls: readonly CallStep[];
      readonly model: string | undefined;
    }
  | {
      readonly do: 'results';
      readonly of: 'all' | 'first' | 'last' | 'answered' | 'unknown' | 'next';
      readonly content: ResultContent;
      readonly saying: string | undefined;
      readonly error: boolean;
    }
  | { readonly do: 'system'; readonly text: string }
  | { readonly do: 'empty'; readonly role: 'user' | 'assistant' | 'system' }
  | { readonly do: 'misplaced'; readonly block: 'call' | 'result' | 'thinking' | 'image' | 'opaque' }
  | { readonly do: 'check' | 'complete-turn' | 'retry' }
  | {
      readonly do: 'bill';
      readonly kind: 'valid' | 'zero' | 'aborted' | 'old' | 'recorded';
      readonly share: number;
    }
  | {
      readonly do: 'compose';
      readonly override: boolean /** Tokens that the request carries besides the session. */;
      readonly contributed: number;
    }
  | { readonly do: 'overflow' }
  | { readonly do: 'manage'; readonly what: Management; readonly which: number }
  | {
      readonly do: 'request';
      readonly profile: Partial<Profile> | undefined;
      readonly instructions: string | undefined;
      readonly trigger: Trigger;
    }
  | { readonly do: 'start'; readonly worker: string }
  | {
      readonly do: 'finish';
      readonly how:
        | 'well'
        | 'refusal'
        | 'cut-off'
        | 'empty'
        | 'too-long'
        | 'lost'
        | 'later'
        | 'late'
        | 'twice'
        | 'truncated'
        | 'thought'
        | 'quoting';
      readonly tokens: number;
    };

const thoughts = (): fc.Arbitrary<Thought> =>
  fc.record({
    kind: fc.constantFrom('signed', 'signed', 'signed', 'unsigned', 'redacted', 'foreign'),
    text: texts(300),
  });
const calls = (): fc.Arbitrary<CallStep> =>
  fc.record({
    id: fc.constantFrom('new', 'new', 'new', 'new', 'reused', 'awkward', 'twin'),
    file: fc.nat(5),
  });
const contents = (): fc.Arbitrary<ResultContent> =>
  fc.record({
    form: fc.constantFrom('string', 'string', 'string', 'parts', 'image', 'blank', 'none'),
    text: fc.oneof({ weight: 8, arbitrary: texts(2_400) }, { weight: 1, arbitrary: hugeTexts() }),
  });
const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

const speech = (): fc.Arbitrary<Step>[] => [
  fc.record({ do: fc.constant('user' as const), text: texts(), image: fc.boolean() }),
  fc.record({
    do: fc.constant('assistant' as const),
    text: maybe(texts()),
    thoughts: fc.array(thoughts(), { maxLength: 2 }),
    calls: fc.array(calls(), { maxLength: 3 }),
    model: fc.constantFrom(undefined, undefined, 'claude-opus-4-6', 'gpt-5.4'),
  }),
  fc.record({
    do: fc.constant('results' as const),
    of: fc.constantFrom('all', 'all', 'all', 'first', 'last', 'answered', 'unknown', 'next'),
    content: contents(),
    saying: fc.option(texts(200), { nil: undefined, freq: 4 }),
    error: fc.boolean(),
  }),
];
const oddities = (): fc.Arbitrary<Step>[] => [
  fc.record({ do: fc.constant('system' as const), text: texts(200) }),
  fc.record({ do: fc.constant('empty' as const), role: fc.constantFrom('user', 'assistant', 'system') }),
  fc.record({
    do: fc.constant('misplaced' as const),
    block: fc.constantFrom('call', 'result', 'thinking', 'image', 'opaque'),
  }),
];
const management = (): fc.Arbitrary<Step>[] => [
  fc.constant({ do: 'check' }),
  fc.constant({ do: 'complete-turn' }),
  fc.record({ do: fc.constant('start' as const), worker: fc.constantFrom('w1', 'w2') }),
  fc.record({
    do: fc.constant('finish' as const),
    how: fc.constantFrom(
      'well',
      'well',
      'well',
      'well',
      'refusal',
      'cut-off',
      'empty',
      'too-long',
      'truncated',
      'thought',
      'quoting',
      'lost',
      'later',
      'late',
      'twice',
    ),
    tokens: fc.integer({ min: 130, max: 400 }),
  }),
];
/** Any management step. */
export const manage = (): fc.Arbitrary<Step> =>
  fc.record({
    do: fc.constant('manage' as const),
    what: fc.constantFrom<Management>(
      'reset',
      'revert',
      'revert',
      'pin',
      'unpin',
      'settings',
      'switch-model',
      'cancel',
      'defer',
      'release',
      'describe',
      'hold',
      'unhold',
      'retain',
      'edits',
    ),
    which: fc.nat(3),
  });

const rarities = (): fc.Arbitrary<Step>[] => [
  fc.record({
    do: fc.constant('compose' as const),
    override: fc.boolean(),
    contributed: fc.constantFrom(0, 0, 7, 150),
  }),
  fc.constant({ do: 'overflow' }),
  fc.constant({ do: 'retry' }),
  manage(),
  fc.record({
    do: fc.constant('bill' as const),
    kind: fc.constantFrom('valid', 'valid', 'zero', 'aborted', 'old', 'recorded'),
    share: fc.double({ min: 0.05, max: 1.1, noNaN: true }),
  }),
  fc.record({
    do: fc.constant('request' as const),
    profile: maybe(profiles()),
    instructions: maybe(fc.constant('keep the numbers')),
    trigger: fc.constantFrom(
      'explicit',
      'explicit',
      'requested-mid-turn',
      'requested-mid-turn',
      'policy',
      'idle',
    ),
  }),
];

/** Policies with various protections and stages; sizes fit sessions of some thousand tokens. */
export const profiles = (): fc.Arbitrary<Partial<Profile>> =>
  fc
    .record({
      keepRecentTurns: fc.integer({ min: 1, max: 4 }),
      protection: fc.constantFrom<Profile['protection']>('yields', 'yields', 'strict'),
      stages: fc.constantFrom<Profile['stages']>(
        ['summarize'],
        ['drop-tool-outputs', 'summarize'],
        ['prune', 'summarize'],
        ['offload-results', 'snip', 'micro', 'summarize', 'collapse'],
      ),
      reasoning: fc.constantFrom<Profile['reasoning']>(
        'summarize',
        'drop-when-compacted',
        'drop-beyond-protected',
      ),
      viewKeepShare: fc.constantFrom(0, 0.1),
      recall: fc.boolean(),
      maxAttempts: fc.integer({ min: 1, max: 3 }),
      unverifiedQuotes: fc.constantFrom<Profile['unverifiedQuotes']>('flag', 'flag', 'reject'),
      autoContinue: fc.boolean(),
      providerContextManagement: fc.constantFrom<Profile['providerContextManagement']>('none', 'configured'),
      keepBy: fc.constantFrom<Profile['keepBy']>('turns', 'turns', 'tokens'),
      keepRecentTokens: fc.integer({ min: 0, max: 900 }),
      triggerCheck: fc.constantFrom<Profile['triggerCheck']>('request', 'request', 'step', 'turn'),
      triggerBy: fc.constantFrom<Profile['triggerBy']>('share', 'share', 'reserve', 'usable-budget'),
      triggerReserveTokens: fc.integer({ min: 0, max: 1_200 }),
      idleAfterMinutes: fc.constantFrom(0, 30),
    })
    .map((policy) => ({ ...policy, ...SMALL }));
const SMALL: Partial<Profile> = {
  maxResultTokens: 300,
  maxResultTokensPerMessage: 400,
  previewTokens: 20,
  viewAtShare: 0.3,
  snipKeepSteps: 2,
  snipKeepTurns: 2,
  microKeepResults: 2,
  pruneKeepTokens: 100,
  pruneMinGainTokens: 50,
  pruneKeepTurns: 1,
};

/** Any step: mostly messages and management, with some common client errors. */
export const steps = (): fc.Arbitrary<Step> =>
  fc.oneof(
    ...speech().map((arbitrary) => ({ weight: 10, arbitrary })),
    ...oddities().map((arbitrary) => ({ weight: 1, arbitrary })),
    ...management().map((arbitrary) => ({ weight: 5, arbitrary })),
    ...rarities().map((arbitrary) => ({ weight: 1, arbitrary })),
  );
