import { randomBytes } from 'node:crypto';
import { type ProfileSource, resolveProfile } from '@app/domain';
import type { ClientRequest, Digest } from '@app/formats';
import { SessionId } from '@app/kernel';
import type { GatewayCall } from '../gateway-call.js';

/** Names to try, the wanted one first. */
export const namesFrom = (named: SessionId, chain: Digest): readonly SessionId[] => [
  named,
  SessionId(`${named}-${chain.slice(0, 12)}`),
  SessionId(`${named}-${randomBytes(8).toString('hex')}`),
];

/** The wished-for profile, but that the client goes on with its work by itself, and may have its provider compact too. */
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
