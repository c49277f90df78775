import { type JsonObject, Tokens } from '@app/kernel';
import { triggerTokens } from '../../budget/limits.js';
import { DEFAULT_PROFILE, PROFILES, profileNamed } from '../index.js';
import type { Profile } from '../profile.js';
import { PROFILE_FIELDS } from '../profile.js';
import { resolveProfile } from '../resolve-profile.js';

/** The differences of a profile from the default, without its name. */
const differencesOf = (profile: Profile): JsonObject => {
  const { name: _, description: __, ...fields } = profile;
  const others: JsonObject = DEFAULT_PROFILE;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(others[field]),
    ),
  );
};

describe('the shipped profiles', () => {
  // Holds rule 7.1.
  it('are six complete profiles, and the first is the default', () => {
    const names = ['core', 'authorized', 'tail', 'staged', 'pivot', 'deterministic'];
    expect(PROFILES.map(({ name }) => name)).toEqual(names);
    expect(DEFAULT_PROFILE.name).toBe('core');
    for (const profile of PROFILES)
      expect(Object.keys(profile).sort()).toEqual(Object.keys(PROFILE_FIELDS).sort());
  });

  // Holds rules 2.5, 7.2.
  it('include core: automatic at 80 % of the window, before a request, with four turns kept', () => {
    expect(DEFAULT_PROFILE).toMatchObject({
      mode: 'automatic',
      warnAtShare: 0.8,
      requireAtShare: 0.95,
      blockAtShare: 0.98,
      triggerCheck: 'request',
      triggerBy: 'share',
      triggerAtShare: 0.8,
      keepBy: 'turns',
      keepRecentTurns: 4,
      protection: 'yields',
      targetShare: 0.6,
      maxRemainingShare: 0.9,
      stages: ['summarize'],
      toolOutputs: 'summarized',
      reasoning: 'summarize',
      autoContinue: false,
      breakerFailures: 3,
    });
    expect(triggerTokens({ window: Tokens(200_000), windowSource: 'given' }, DEFAULT_PROFILE)).toBe(160_000);
  });

  // Holds rule 7.3.
  it.each<[string, JsonObject]>([
    ['authorized', { mode: 'authorized' }],
    [
      'tail',
      {
        triggerCheck: 'turn',
        requireAtShare: 0.98,
        blockAtShare: 1,
        triggerBy: 'reserve',
        explicitMidTurn: 'refuse',
        keepBy: 'tokens',
      },
    ],
    [
      'staged',
      {
        triggerAtShare: 0.95,
        keepRecentTurns: 2,
        stages: ['offload-results', 'snip', 'micro', 'summarize', 'collapse'],
      },
    ],
    [
      'pivot',
      {
        triggerCheck: 'step',
        triggerBy: 'usable-budget',
        keepBy: 'tokens',
        keepRecentTokens: 0,
        maxOutputTokens: 32_000,
        maxOutputShare: 0.5,
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
        breakerCooldownMinutes: 0,
      },
    ],
  ])('%s differs from core only in its documented fields', (name, differences) =>
    expect(differencesOf(profileNamed(name))).toEqual(differences),
  );

  // Holds rule 7.4.
  it('have their documented sizes', () => {
    expect(profileNamed('tail')).toMatchObject({ triggerReserveTokens: 8_192, keepRecentTokens: 16_384 });
    expect(profileNamed('pivot')).toMatchObject({
      pruneKeepTokens: 40_000,
      pruneMinGainTokens: 20_000,
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
  warnAtShare: 0.5,
  requireAtShare: 0.9,
  blockAtShare: 0.99,
  triggerCheck: 'turn',
  triggerBy: 'reserve',
  triggerAtShare: 0.7,
  triggerReserveTokens: 1_000,
  explicitMidTurn: 'refuse',
  idleAfterMinutes: 10,
  idleAtShare: 0.4,
  unknownWindow: 'refuse',
  tokenCounting: 'provider',
  providerContextManagement: 'configured',
  triggerMessages: 200,
  triggerTurns: 20,
  triggerToolCalls: 100,
  triggerMinutes: 60,
  perModel: [{ model: 'claude-*', warnAtShare: 0.6, requireAtShare: 0.9 }],
  prompt: 'careful@2',
  reinject: ['files'],
  reinjectFiles: ['src/*'],
  maxReinjectTokens: 2_000,
  keepBy: 'tokens',
  keepRecentTurns: 2,
  keepRecentTokens: 5_000,
  protection: 'strict',
  targetShare: 0.5,
  maxRemainingShare: 0.8,
  maxOutputTokens: 4_096,
  maxOutputShare: 0.1,
  maxSummaryTokens: 1_000,
  minOutputTokens: 500,
  minOutputShare: 0.02,
  ladder: 'truncate',
  maxSummaryShare: 0.05,
  stages: ['prune', 'summarize'],
  exemptTools: ['peek'],
  maxResultTokens: 1_000,
  maxResultTokensPerMessage: 2_000,
  previewTokens: 100,
  viewAtShare: 0.5,
  snipKeepSteps: 10,
  microKeepResults: 4,
  pruneKeepTokens: 1_000,
  pruneMinGainTokens: 500,
  pruneKeepTurns: 3,
  offloadExemptTools: ['peek'],
  offloadExemptMaxShare: 0.1,
  viewKeepShare: 0.2,
  snipKeepTurns: 3,
  toolOutputs: 'dropped',
  reasoning: 'drop-beyond-protected',
  summarizer: 'extractive',
  summaryInput: 'prefix',
  hybrid: false,
  nativeCompaction: true,
  unverifiedQuotes: 'reject',
  factList: true,
  keepUserMessageTokens: 1_000,
  maxAttempts: 5,
  autoContinue: true,
  breakerFailures: 5,
  breakerCooldownTurns: 7,
  breakerCooldownMinutes: 45,
};

describe('a custom profile', () => {
  const own: JsonObject = OTHERS;
  const core: JsonObject = DEFAULT_PROFILE;

  // Holds rule 1.19.
  it.each(Object.keys(OTHERS).filter((field) => field !== 'name'))(
    'can set %s, and no other field changes',
    (field) => {
      const profile: JsonObject = resolveProfile({ name: 'mine', [field]: own[field] });
      expect(profile[field]).toEqual(own[field]);
      const { name: _, description: __, [field]: ___, ...rest } = profile;
      const { name: ____, description: _____, [field]: ______, ...same } = core;
      expect(rest).toEqual(same);
    },
  );

  // Holds rule 7.6.
  it('starts with the profile that it extends', () => {
    const profile = resolveProfile({ name: 'mine', extends: 'pivot', keepRecentTurns: 7 });
    expect(profile).toMatchObject({ autoContinue: true, keepRecentTurns: 7, name: 'mine' });
  });

  // Holds rule 7.6.
  it.each<[string, JsonObject]>([
    ['without a name', { keepRecentTurns: 2 }],
    ['under a name that is taken', { name: 'core' }],
    ['with an invalid base profile', { name: 'mine', extends: 7 }],
    ['with an unknown field', { name: 'mine', keepEverything: true }],
    ['with an invalid value', { name: 'mine', warnAtShare: 'soon' }],
    ['with thresholds in the wrong order', { name: 'mine', warnAtShare: 0.99 }],
    ['without a compacting stage', { name: 'mine', stages: ['micro'] }],
  ])('is rejected %s', (_, source) =>
    expect(() => resolveProfile(source)).toThrow(expect.objectContaining({ code: 'invalid-settings' })),
  );
});
