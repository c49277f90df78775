import { DEFAULT_PROFILE, profileFor } from '@app/domain';

const profile = {
  ...DEFAULT_PROFILE,
  perModel: [
    { model: 'claude-opus-4-6', warnAtShare: 0.1 },
    { model: 'Claude-*-4-*', warnAtShare: 0.2 },
    { model: '*mini*', warnAtShare: 0.3, triggerAtShare: 0.4 },
    { model: 'constructor', warnAtShare: 0.5 },
  ],
};

describe('a policy for a model', () => {
  // Holds rule 5.102.
  it.each([
    ['claude-opus-4-6', 0.1],
    ['openrouter/anthropic/claude-opus-4.6', 0.1],
    ['claude-opus-4-6-20260101', 0.1],
    ['claude-sonnet-4-5', 0.2],
    ['gpt-5-mini', 0.3],
    ['mini', 0.3],
    ['constructor', 0.5],
    ['claude-4', 0.8],
    ['toString', 0.8],
  ])('has for %s the values of the first matching entry: %d', (model, warnAtShare) =>
    expect(profileFor(profile, model).warnAtShare).toBe(warnAtShare),
  );

  it('is unchanged if no entry matches the model', () => expect(profileFor(profile, 'o3')).toBe(profile));

  it('matches in time linear to pattern and name', () => {
    const hard = { ...profile, perModel: [{ model: '*a'.repeat(99), warnAtShare: 0.1 }] };
    expect(profileFor(hard, 'a'.repeat(98)).warnAtShare).toBe(0.8);
    expect(profileFor(hard, 'a'.repeat(99)).warnAtShare).toBe(0.1);
  });
});
