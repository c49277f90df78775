import { AppError } from '@app/kernel';
import type { Profile } from '../profile.js';

type Rule = readonly [holds: boolean, rule: string];

/**
 * Checks the values of all fields, since each can be overridden.
 *
 * @throws {AppError} `invalid-settings`, with the first violated rule.
 */
export const requireValidProfile = (profile: Profile): void => {
  const { warnAtShare, triggerAtShare, requireAtShare, blockAtShare } = profile;
  const rules: readonly Rule[] = [
    [
      warnAtShare > 0 && warnAtShare <= requireAtShare && requireAtShare <= blockAtShare && blockAtShare <= 1,
      'thresholds are shares of the window: 0 < warnAtShare ≤ requireAtShare ≤ blockAtShare ≤ 1',
    ],
    [isShare(triggerAtShare), 'triggerAtShare is a share of the window, above 0 and at most 1'],
    [isShare(profile.targetShare), 'targetShare is a share of the trigger, above 0 and at most 1'],
    [
      isShare(profile.maxRemainingShare),
      'maxRemainingShare is a share of what there was, above 0 and at most 1',
    ],
    [isCount(profile.keepRecentTurns), 'keepRecentTurns is a whole number from 1'],
    [
      profile.mode === 'off' ||
        profile.stages.includes('summarize') ||
        profile.stages.includes('drop-tool-outputs'),
      'stages need summarize or drop-tool-outputs: the others make no compaction, and mode off makes none at all',
    ],
    [isCount(profile.maxAttempts), 'maxAttempts is a whole number from 1'],
    [isCount(profile.maxSummaryTokens), 'maxSummaryTokens is a whole number from 1'],
    [
      isShare(profile.maxSummaryShare) && profile.maxSummaryShare < 1,
      'maxSummaryShare is above 0 and below 1',
    ],
    [
      Number.isSafeInteger(profile.maxOutputTokens) && profile.maxOutputTokens >= 0,
      'maxOutputTokens is a whole number from 0',
    ],
    [isCount(profile.minOutputTokens), 'minOutputTokens is a whole number from 1'],
    [isShare(profile.minOutputShare), 'minOutputShare is a share of the window, above 0 and at most 1'],
    [profile.maxOutputShare >= 0 && profile.maxOutputShare <= 1, 'maxOutputShare is from 0 to 1'],
  ];
  const broken = rules.find(([holds]) => !holds);
  if (broken) throw new AppError('invalid-settings', broken[1]);
  for (const { model, ...fields } of profile.perModel)
    requireValidFor(model, { ...profile, ...fields, perModel: [] });
};

const requireValidFor = (model: string, profile: Profile): void => {
  try {
    requireValidProfile(profile);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, `perModel ${model.slice(0, 64)}: ${error.message}`);
  }
};

const isShare = (value: number): boolean => value > 0 && value <= 1;
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
