import type { Profile } from '@app/domain';
import { isJsonObject, type JsonObject, ownMember } from '@app/kernel';

/** Profile fields added after the first sessions were recorded, with the values for those sessions. */
const LATER_FIELDS: Partial<Profile> = {
  triggerCheck: 'request',
  triggerBy: 'share',
  triggerReserveTokens: 8_192,
  explicitMidTurn: 'run',
  idleAfterMinutes: 0,
  idleAtShare: 0.5,
  tokenCounting: 'estimate',
  providerContextManagement: 'none',
  keepBy: 'turns',
  keepRecentTokens: 16_384,
  exemptTools: [],
  maxResultTokens: 12_000,
  maxResultTokensPerMessage: 50_000,
  previewTokens: 500,
  viewAtShare: 0.6,
  snipKeepSteps: 40,
  microKeepResults: 8,
  pruneKeepTokens: 40_000,
  pruneMinGainTokens: 20_000,
  pruneKeepTurns: 2,
  offloadExemptTools: [],
  offloadExemptMaxShare: 0.25,
  viewKeepShare: 0.3,
  snipKeepTurns: 8,
  unverifiedQuotes: 'flag',
  factList: false,
  keepUserMessageTokens: 0,
  summaryInput: 'transcript',
  hybrid: false,
  nativeCompaction: false,
  autoContinue: false,
  breakerCooldownTurns: 5,
  breakerCooldownMinutes: 0,
};

/** Converts data of an earlier version to the current form. Current data is returned unchanged. */
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
