import type { Profile } from '@app/domain';
import { isJsonObject, type JsonObject, ownMember } from '@app/kernel';

/** Fields that profiles got after the first sessions were recorded, each with the value by which those went on. */
const LATER_FIELDS: Partial<Profile> = {
  checkedAt: 'request',
  triggerBy: 'share',
  triggerReserve: 8_192,
  explicitMidTurn: 'run',
  idleAfterMinutes: 0,
  idleAt: 0.5,
  tokenCounting: 'estimate',
  providerManagement: 'none',
  keepBy: 'turns',
  keepRecentTokens: 16_384,
  exemptTools: [],
  resultTokensMax: 12_000,
  resultsPerMessageMax: 50_000,
  previewTokens: 500,
  viewAt: 0.6,
  snipKeepSteps: 40,
  microKeepResults: 8,
  pruneKeepTokens: 40_000,
  pruneGainMin: 20_000,
  pruneKeepTurns: 2,
  offloadExempt: [],
  offloadExemptMax: 0.25,
  viewKeep: 0.3,
  snipKeepTurns: 8,
  unfoundedQuotes: 'flag',
  factList: false,
  userMessagesTokens: 0,
  summaryInput: 'transcript',
  hybrid: false,
  nativeCompaction: false,
  autoContinue: false,
  breakerHoldTurns: 5,
  breakerHoldMinutes: 0,
};

/** What was recorded by an earlier version, in the form of this one. An event of this version comes back as it is. */
export const upcast = (data: JsonObject): JsonObject => {
  const { profile, opened, opening } = data;
  return {
    ...data,
    ...(isJsonObject(profile) && isOlder(profile) && { profile: { ...LATER_FIELDS, ...profile } }),
    ...(isJsonObject(opened) && { opened: upcast(opened) }),
    ...(isJsonObject(opening) && { opening: upcast(opening) }),
  };
};

const isOlder = (profile: JsonObject): boolean =>
  Object.keys(LATER_FIELDS).some((field) => ownMember(profile, field) === undefined);
