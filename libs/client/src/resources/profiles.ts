import type { ProfileExplanation, ProfileSummary } from '../generated/types.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';

/** Built-in profiles. */
export class Profiles {
  constructor(private readonly http: Transport) {}

  /** Lists the profiles, the default first. */
  list(options?: CallOptions): Promise<readonly ProfileSummary[]> {
    return this.http.send('GET', path`/v1/profiles`, {}, options);
  }

  /** Explains a profile field by field. */
  show(profile: string, options?: CallOptions): Promise<ProfileExplanation> {
    return this.http.send('GET', path`/v1/profiles/${profile}`, {}, options);
  }
}
