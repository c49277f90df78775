import { AppError, canonicalJson, LIMITS } from '@app/kernel';
import { descriptionIn } from '../../session/description.js';
import type { SessionDescription } from '../../session/events.js';
import type { Decide } from '../commands.js';

/**
 * Decides another title, project or labels; nothing where all of them are as they were.
 *
 * @throws {AppError} `invalid-settings` for more labels than a session may have.
 */
export const describeSession: Decide<'DescribeSession'> = (
  { data: { title, project, labels, customer } },
  { description },
) => {
  const before = description;
  const { title: _, project: __, customer: known, ...rest } = description;
  const now = customer === undefined ? known : (customer ?? undefined);
  const after: SessionDescription = {
    ...rest,
    ...given('title', title, before.title),
    ...given('project', project, before.project),
    labels: labelsAfter(before.labels, labels ?? {}),
    ...(now && { customer: now }),
  };
  const changed = (['title', 'project', 'labels'] as const).filter(
    (field) => canonicalJson(before[field] ?? null) !== canonicalJson(after[field] ?? null),
  );
  if (changed.length === 0) return [];
  const { max } = LIMITS.labels;
  if (Object.keys(after.labels).length > max)
    throw new AppError('invalid-settings', `a session has at most ${max} labels: remove some first`);
  return [{ type: 'SessionDescribed', data: { ...descriptionIn(after), changed } }];
};

const given = <Name extends 'title' | 'project'>(
  name: Name,
  now: string | null | undefined,
  before: string | undefined,
): { readonly [N in Name]?: string } => {
  const value = now === undefined ? before : (now ?? undefined);
  return value === undefined ? {} : ({ [name]: value } as { readonly [N in Name]?: string }); // One member, by that name.
};

const labelsAfter = (
  before: SessionDescription['labels'],
  changes: { readonly [name: string]: string | null },
): SessionDescription['labels'] =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
