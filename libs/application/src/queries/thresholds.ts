import type { Thresholds } from '@app/contract';
import { type OpenSession, type Profile, triggerTokens } from '@app/domain';
import { Tokens } from '@app/kernel';

/** Returns the thresholds of a session; `null` without a window. */
export const thresholdsOf = (limits: OpenSession['limits'], profile: Profile): Thresholds | null => {
  const trigger = triggerTokens(limits, profile);
  if (trigger === undefined) return null;
  const share = (part: number): Tokens => Tokens(Math.ceil(limits.window * part));
  return {
    warning: share(profile.warnAtShare),
    trigger,
    critical: share(profile.requireAtShare),
    blocking: share(profile.blockAtShare),
  };
};
