import { type JsonObject, Tokens } from '@app/kernel';
import { triggerTokens } from '../../../budget/limits.js';
import type { Profile } from '../../profile.js';
import { PROFILE_FIELDS } from '../fields/profile-fields.js';
import { DEFAULT_PROFILE, PROFILES, profileNamed } from '../index.js';
import { resolveProfile } from '../resolve-profile.js';

/** What a profile says otherwise than the default, but for what it is called. */
const differencesOf = (profile: Profile): JsonObject => {
  const { name: _, description: __, ...fields } = profile;
  const others: JsonObject = DEFAULT_PROFILE;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(others[field]),
    ),
  );
};

describe('the profiles that ship', () => {
  it('are six, each complete, and the first is the default', () => {
    const names = ['core', 'authorized', 'tail', 'staged', 'pivot', 'deterministic'];
    expect(PROFILES.map(({ name }) => name)).toEqual(names);
    expect(DEFAULT_PROFILE.name).toBe('core');
    for (const profile of PROFILES)
      expect(Object.keys(profile).sort()).toEqual(Object.keys(PROFILE_FIELDS).sort());
  });

  it('core compacts by itself at 80 % of the window, before a request, and keeps four turns', () => {
    expect(DEFAULT_PROFILE).toMatchObject({
      mode: 'automatic',
      warnAt: 0.8,
      requireAt: 0.95,
      blockAt: 0.98,
      checkedAt: 'request',
      triggerBy: 'share',
      triggerAt: 0.8,
      keepBy: 'turns',
      keepRecentTurns: 4,
      protection: 'yields',
      targetShare: 0.6,
      gainShare: 0.9,
      stages: ['summarize'],
      toolOutputs: 'summarized',
      reasoning: 'summarize',
      autoContinue: false,
      breakerAfter: 3,
    });
    expect(triggerTokens({ window: Tokens(200_000), windowSource: 'given' }, DEFAULT_PROFILE)).toBe(160_000);
  });

  it.each<[string, JsonObject]>([
    ['authorized', { mode: 'authorized' }],
    [
      'tail',
      {
        checkedAt: 'turn',
        requireAt: 0.98,
        blockAt: 1,
        triggerBy: 'reserve',
        explicitMidTurn: 'refuse',
        keepBy: 'tokens',
      },
    ],
    [
      'staged',
      {
        triggerAt: 0.95,
        keepRecentTurns: 2,
        stages: ['offload-results', 'snip', 'micro', 'summarize', 'collapse'],
      },
    ],
    [
      'pivot',
      {
        checkedAt: 'step',
        triggerBy: 'usable-budget',
        keepBy: 'tokens',
        keepRecentTokens: 0,
        outputCap: 32_000,
        outputShare: 0.5,
        stages: ['prune', 'summarize'],
        autoContinue: true,
      },
    ],
    [
      'deterministic',
      {
        stages: ['drop-tool-outputs', 'summarize'],
        toolOutputs: 'dropped',
        reasoning: 'drop-when-compacted',
        summarizer: 'extractive',
        breakerHoldMinutes: 0,
      },
    ],
  ])('%s differs from core in nothing but what makes it', (name, differences) =>
    expect(differencesOf(profileNamed(name))).toEqual(differences),
  );

  it('hold the sizes that are theirs', () => {
    expect(profileNamed('tail')).toMatchObject({ triggerReserve: 8_192, keepRecentTokens: 16_384 });
    expect(profileNamed('pivot')).toMatchObject({
      pruneKeepTokens: 40_000,
      pruneGainMin: 20_000,
      pruneKeepTurns: 2,
    });
  });
});

/** Another value than the default for every field, valid beside it. */
const OTHERS: { readonly [Field in keyof Profile]: Profile[Field] } = {
  recall: true,
  name: 'mine',
  description: 'My own.',
  mode: 'authorized',
  warnAt: 0.5,
  requireAt: 0.9,
  blockAt: 0.99,
  checkedAt: 'turn',
  triggerBy: 'reserve',
  triggerAt: 0.7,
  triggerReserve: 1_000,
  explicitMidTurn: 'refuse',
  idleAfterMinutes: 10,
  idleAt: 0.4,
  unknownWindow: 'refuse',
  tokenCounting: 'provider',
  providerManagement: 'configured',
  triggerMessages: 200,
  triggerTurns: 20,
  triggerToolCalls: 100,
  triggerMinutes: 60,
  perModel: [{ model: 'claude-*', warnAt: 0.6, requireAt: 0.9 }],
  prompt: 'careful@2',
  reinject: ['files'],
  reinjectFiles: ['src/*'],
  reinjectTokens: 2_000,
  keepBy: 'tokens',
  keepRecentTurns: 2,
  keepRecentTokens: 5_000,
  protection: 'strict',
  targetShare: 0.5,
  gainShare: 0.8,
  outputCap: 4_096,
  outputShare: 0.1,
  summaryTokensMax: 1_000,
  outputMin: 500,
  outputMinShare: 0.02,
  ladder: 'truncate',
  summaryShare: 0.05,
  stages: ['prune', 'summarize'],
  exemptTools: ['peek'],
  resultTokensMax: 1_000,
  resultsPerMessageMax: 2_000,
  previewTokens: 100,
  viewAt: 0.5,
  snipKeepSteps: 10,
  microKeepResults: 4,
  pruneKeepTokens: 1_000,
  pruneGainMin: 500,
  pruneKeepTurns: 3,
  offloadExempt: ['peek'],
  offloadExemptMax: 0.1,
  viewKeep: 0.2,
  snipKeepTurns: 3,
  toolOutputs: 'dropped',
  reasoning: 'drop-beyond-protected',
  summarizer: 'extractive',
  summaryInput: 'prefix',
  hybrid: false,
  nativeCompaction: true,
  unfoundedQuotes: 'reject',
  factList: true,
  userMessagesTokens: 1_000,
  attemptsMax: 5,
  autoContinue: true,
  breakerAfter: 5,
  breakerHoldTurns: 7,
  breakerHoldMinutes: 45,
};

describe('a profile of one’s own', () => {
  const own: JsonObject = OTHERS;
  const core: JsonObject = DEFAULT_PROFILE;

  it.each(Object.keys(OTHERS).filter((field) => field !== 'name'))(
    'can set %s, and nothing else changes',
    (field) => {
      const profile: JsonObject = resolveProfile({ name: 'mine', [field]: own[field] });
      expect(profile[field]).toEqual(own[field]);
      const { name: _, description: __, [field]: ___, ...rest } = profile;
      const { name: ____, description: _____, [field]: ______, ...same } = core;
      expect(rest).toEqual(same);
    },
  );

  it('begins with the one that it extends', () => {
    const profile = resolveProfile({ name: 'mine', extends: 'pivot', keepRecentTurns: 7 });
    expect(profile).toMatchObject({ autoContinue: true, keepRecentTurns: 7, name: 'mine' });
  });

  it.each<[string, JsonObject]>([
    ['without a name', { keepRecentTurns: 2 }],
    ['under a name that is taken', { name: 'core' }],
    ['on a basis that is none', { name: 'mine', extends: 7 }],
    ['with a field that there is not', { name: 'mine', keepEverything: true }],
    ['with a value that a field cannot have', { name: 'mine', warnAt: 'soon' }],
    ['with thresholds in the wrong order', { name: 'mine', warnAt: 0.99 }],
    ['with stages that make no compaction', { name: 'mine', stages: ['micro'] }],
  ])('is refused %s', (_, source) =>
    expect(() => resolveProfile(source)).toThrow(expect.objectContaining({ code: 'invalid-settings' })),
  );
});
