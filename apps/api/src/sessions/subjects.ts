import { FindSubjects, type MessageDraft } from '@app/application';
import type { SubjectRef, TenantId } from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';
import type { NamedDraft } from './shapes.js';

/** Returns messages with fingerprints in the place of the names of subjects: no name is recorded. */
export const withFingerprints = async (
  queries: QueryBus,
  tenant: TenantId,
  messages: readonly NamedDraft[],
): Promise<readonly MessageDraft[]> => {
  const known = new Map<string, readonly SubjectRef[]>();
  const refsOf = async (names: readonly string[]): Promise<readonly SubjectRef[]> => {
    const key = JSON.stringify(names);
    const found = known.get(key) ?? (await queries.execute(new FindSubjects(tenant, names)));
    known.set(key, found);
    return found;
  };
  const drafts: MessageDraft[] = [];
  for (const { subjects, ...message } of messages)
    drafts.push(subjects ? { ...message, subjects: await refsOf(subjects) } : message);
  return drafts;
};
