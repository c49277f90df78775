import { AppError } from '@app/kernel';
import type { Profile } from '../../profile.js';

type Rule = readonly [holds: boolean, rule: string];

/**
 * Any field of a profile can be overridden, so each is held to what the rules can work with.
 *
 * @throws {AppError} `invalid-settings`, with the first rule that is broken.
 */
export const requireValidProfile = (profile: Profile): void => {
  const { warnAt, triggerAt, requireAt, blockAt } = profile;
  const rules: readonly Rule[] = [
    [
      warnAt > 0 && warnAt <= requireAt && requireAt <= blockAt && blockAt <= 1,
      'thresholds are shares of the window: 0 < warnAt ≤ requireAt ≤ blockAt ≤ 1',
    ],
    [isShare(triggerAt), 'triggerAt is a share of the window, above 0 and at most 1'],
    [isShare(profile.targetShare), 'targetShare is a share of the trigger, above 0 and at most 1'],
    [isShare(profile.gainShare), 'gainShare is a share of what there was, above 0 and at most 1'],
    [isCount(profile.keepRecentTurns), 'keepRecentTurns is a whole number from 1'],
    [
      profile.mode === 'off' ||
        profile.stages.includes('summarize') ||
        profile.stages.includes('drop-tool-outputs'),
      'stages need summarize or drop-tool-outputs: the others make no compaction, and mode off makes none at all',
    ],
    [isCount(profile.attemptsMax), 'attemptsMax is a whole number from 1'],
    [isCount(profile.summaryTokensMax), 'summaryTokensMax is a whole number from 1'],
    [isShare(profile.summaryShare) && profile.summaryShare < 1, 'summaryShare is above 0 and below 1'],
    [Number.isSafeInteger(profile.outputCap) && profile.outputCap >= 0, 'outputCap is a whole number from 0'],
    [isCount(profile.outputMin), 'outputMin is a whole number from 1'],
    [isShare(profile.outputMinShare), 'outputMinShare is a share of the window, above 0 and at most 1'],
    [profile.outputShare >= 0 && profile.outputShare <= 1, 'outputShare is from 0 to 1'],
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
