import { randomBytes } from 'node:crypto';
import { type ProfileSource, resolveProfile } from '@app/domain';
import type { ClientRequest } from '@app/formats';
import { SessionId } from '@app/kernel';
import type { GatewayCall } from '../gateway-call.js';
import type { Digest } from './chains.js';

/** Returns candidate IDs of a new session, the preferred one first. */
export const namesFrom = (named: SessionId, chain: Digest): readonly SessionId[] => [
  named,
  SessionId(`${named}-${chain.slice(0, 12)}`),
  SessionId(`${named}-${randomBytes(8).toString('hex')}`),
];

/**
 * Returns the requested profile, adapted to clients that continue their work themselves and may use their provider's
 * compaction.
 */
export const profileFor = (
  { wishes: { profile = 'core', recall, recallByDefault = false } }: GatewayCall,
  { isManaged }: ClientRequest,
): ProfileSource => {
  const given = resolveProfile(profile);
  const wanted = recall ?? (given.recall || recallByDefault);
  if (!given.autoContinue && !isManaged && given.recall === wanted) return profile;
  const providerContextManagement = isManaged ? 'configured' : 'none';
  const own = {
    autoContinue: false,
    providerContextManagement,
    ...(given.recall !== wanted && { recall: wanted }),
  };
  return { name: `${profile}-gateway`, extends: profile, ...own };
};
