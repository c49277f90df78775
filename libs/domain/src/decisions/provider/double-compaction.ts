import type { CompactionId } from '@app/kernel';
import type { Cost } from '../../models/cost.js';
import type { Usage } from '../../models/usage.js';
import type { Profile } from '../../profiles/profile.js';
import type {
  CompactionDuplicated,
  DuplicateCompactionConfigured,
  ProviderEditSummary,
  SessionEvent,
} from '../../session/events.js';
import type { Paid, Pivot } from '../../session/state.js';

/** The worker name of the provider's context management. */
const PROVIDER = 'provider';

/** Records once that both this engine and the provider compact; `before` is the previous profile. */
export const doubleConfigured = (
  profile: Profile,
  since: DuplicateCompactionConfigured['data']['since'],
  before?: Profile,
): readonly SessionEvent[] => {
  if (!compactsTwice(profile) || (before && compactsTwice(before))) return [];
  return [{ type: 'DuplicateCompactionConfigured', data: { profile: profile.name, since } }];
};

/** Whether this engine and the provider's own context management both compact. */
export const compactsTwice = ({ mode, providerContextManagement }: Profile): boolean =>
  mode === 'automatic' && providerContextManagement === 'configured';

/** Records a compaction of this engine and context edits of the provider in the same turn, with both costs. */
export const duplicateCompaction = (
  compactionId: CompactionId,
  { attempt, worker, ...ours }: NonNullable<Pivot['ran']>,
  provider: ProviderEditSummary,
  paidToProvider: Paid,
): CompactionDuplicated => ({
  type: 'CompactionDuplicated',
  data: {
    compactionId,
    attempt,
    worker: PROVIDER,
    ...paidFields(paidToProvider),
    provider,
    applied: { worker, ...paidFields(ours) },
  },
});

const paidFields = ({ usage, cost }: Paid): { readonly usage?: Usage; readonly cost?: Cost } => ({
  ...(usage && { usage }),
  ...(cost && { cost }),
});
