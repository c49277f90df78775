import type { SubjectRef, TenantId } from '@app/kernel';
import type { ErasableKeys } from '@app/ports';

/** The label whose value names a data subject, so that `erase --subject` covers the content of a customer. */
const CUSTOMER_LABEL = 'customer';

export type Fingerprints = Pick<ErasableKeys, 'subjectRefs'>;

/** Returns the data subject that labels name as the customer; `null` if they remove it, and `undefined` if they have none. */
export const customerOf = async (
  fingerprints: Fingerprints | undefined,
  tenant: TenantId,
  labels: Readonly<Record<string, string | null>> | undefined,
): Promise<SubjectRef | null | undefined> => {
  const named = labels && Object.hasOwn(labels, CUSTOMER_LABEL) ? labels[CUSTOMER_LABEL] : undefined;
  if (named === null || named === '') return null;
  if (named === undefined) return undefined;
  const [customer] = (await fingerprints?.subjectRefs(tenant, [named])) ?? [];
  return customer;
};
