import type { CompactionId } from '@app/kernel';
import type { Profile } from '../../../compaction/profile.js';
import type { Cost } from '../../../models/cost.js';
import type {
  CompactionDoubleRan,
  DoubleCompactionConfigured,
  ProviderDid,
  SessionEvent,
  Usage,
} from '../../events.js';
import type { Paid, Pivot } from '../../state.js';

/** The name by which the provider's own context management stands beside workers. */
const PROVIDER = 'provider';

/** Says once that two will compact, when that becomes so; `before` is the profile that was in force until now. */
export const doubleConfigured = (
  profile: Profile,
  since: DoubleCompactionConfigured['data']['since'],
  before?: Profile,
): readonly SessionEvent[] => {
  if (!compactsTwice(profile) || (before && compactsTwice(before))) return [];
  return [{ type: 'DoubleCompactionConfigured', data: { profile: profile.name, since } }];
};

/** Whether this engine and the provider's own context management both compact. */
export const compactsTwice = ({ mode, providerManagement }: Profile): boolean =>
  mode === 'automatic' && providerManagement === 'configured';

/** A compaction of this engine's and what the provider's own management did in the same turn, with what each has cost. */
export const doubleRan = (
  compactionId: CompactionId,
  { attempt, worker, ...ours }: NonNullable<Pivot['ran']>,
  provider: ProviderDid,
  paidToProvider: Paid,
): CompactionDoubleRan => ({
  type: 'CompactionDoubleRan',
  data: {
    compactionId,
    attempt,
    worker: PROVIDER,
    ...told(paidToProvider),
    provider,
    applied: { worker, ...told(ours) },
  },
});

const told = ({ usage, cost }: Paid): { readonly usage?: Usage; readonly cost?: Cost } => ({
  ...(usage && { usage }),
  ...(cost && { cost }),
});
