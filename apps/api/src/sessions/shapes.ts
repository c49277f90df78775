import { FindSubjects, type MessageDraft } from '@app/application';
import { role } from '@app/contract';
import { blockFrom, hasCallNames, textBlock } from '@app/domain';
import { isShallow } from '@app/formats';
import {
  AppError,
  type AsOf,
  CALL_NAMES_RULE,
  CompactionId,
  IsoTime,
  isJsonObject,
  isModelName,
  isName,
  type Json,
  LIMITS,
  MessageId,
  MODEL_NAME_RULE,
  parseAsOf,
  RequestId,
  Revision,
  SessionId,
  type SubjectRef,
  type TenantId,
  Tokens,
  weightOf,
} from '@app/kernel';
import type { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { listOf } from '../http/valid.js';

/** An id of this API, held to the form that its constructor asks for. */
const idOf = <Id extends string>(construct: (value: string) => Id, described: string) =>
  z
    .string()
    .transform((value, context): Id => {
      try {
        return construct(value);
      } catch {
        context.addIssue({ code: 'custom', message: `give ${described}` });
        return z.NEVER;
      }
    })
    .describe(described);

export const sessionId = idOf(SessionId, 'letters, digits and _ . : -, at most 128');
const messageId = idOf(MessageId, 'printable ASCII without blanks, at most 200');
const requestId = idOf(RequestId, 'an id that compose has returned');
export const compactionId = idOf(CompactionId, 'letters, digits, _ and -, at most 64');

export const window = z.int().min(0).max(LIMITS.window.max).describe('Tokens; 0 is unlimited');
/** The name of a model. */
export const modelName = z
  .string()
  .min(1)
  .max(LIMITS.modelName.max)
  .refine(isModelName, `give ${MODEL_NAME_RULE}`);
/** Why a turn has ended. */
export const stopReason = z.string().min(1).max(LIMITS.stopReason.max);
/** Why, for the audit. */
export const reason = z.string().min(1).max(LIMITS.reason.max).describe('Reason for the audit');
/** A reason that is required. */
export const reasoned = z.strictObject({ reason }).meta({ id: 'Reasoned' });
const ASKED_FOR = 'asked for through the API';
/** The body of a request that says no more than why. */
export const reasonBody = z.strictObject({ reason: reason.default(ASKED_FOR) }).meta({ id: 'ReasonRequest' });
export const revision = z.coerce.number().int().min(0).transform(Revision);

/** A state of a session: a revision, a time, or the id of a request. */
export const asOf = z
  .union([z.string(), z.int()])
  .transform((value, context): AsOf => {
    try {
      return parseAsOf(String(value));
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof AppError ? error.message : 'not valid' });
      return z.NEVER;
    }
  })
  .meta({ id: 'AsOf', description: 'A revision, a time (ISO 8601) or the ID of a request' });

const count = z.int().min(0).max(LIMITS.usageTokens.max);
const tokens = count.default(0).transform(Tokens);
export const usage = z
  .strictObject({
    inputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: count
      .transform(Tokens)
      .exactOptional()
      .describe('Part of `cacheWriteTokens` with a lifetime of one hour'),
    outputTokens: tokens,
    requestId: requestId
      .exactOptional()
      .describe('`requestId` of the billed request; by default the last request before the answer'),
  })
  .meta({
    id: 'ReportedUsage',
    description: 'Tokens that the provider billed for one request, and the ID of that request',
  });

/** A message whose subjects have the caller's names. */
type NamedDraft = Omit<MessageDraft, 'subjects'> & { readonly subjects?: readonly string[] };

const block = z
  .custom<Json>(isJsonObject, 'give a JSON object')
  .transform((value, context) => {
    const found = isShallow(value) ? blockFrom(value) : undefined;
    if (found && hasCallNames(found)) return found;
    const message = found
      ? CALL_NAMES_RULE
      : 'it lacks a member of its type: give a block in Anthropic’s form, such as {"type":"text","text":"…"}';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ id: 'ContentBlock', type: 'object', description: 'A content block in Anthropic’s form' });

/** Names of data subjects, such as customers. */
export const subjectName = z
  .string()
  .refine(
    (name) => isName(name, LIMITS.subject.max),
    `give a name of 1 to ${LIMITS.subject.max} characters, without control characters`,
  );
export const subjectNames = listOf(subjectName, { max: LIMITS.subjects.max });

/** A message in Anthropic's form; `id` is given to it where it has none. */
const messageDraft = z
  .object({
    id: messageId.exactOptional(),
    role: role,
    content: z.union([z.string().min(1), listOf(block, { min: 1 })]),
    model: modelName.exactOptional(),
    createdAt: z.iso
      .datetime({ offset: true })
      .transform((text) => IsoTime(text))
      .exactOptional()
      .describe('Time of writing, if the message is appended later'),
    subjects: subjectNames
      .exactOptional()
      .describe('Data subjects of the message; by default those of the previous message of its turn'),
    reasoning: z
      .literal('disposable')
      .exactOptional()
      .describe('For assistant messages: requests and summarizers omit the reasoning after its turn'),
  })
  .refine(({ role, reasoning }) => reasoning === undefined || role === 'assistant', {
    message: 'reasoning is a field of assistant messages: others have none',
  })
  .refine(({ content }) => weightOf(content) <= LIMITS.messageBytes.max, {
    message: 'it is larger than 8 MiB: no model takes that',
  })
  .transform(
    ({ content, ...rest }): NamedDraft => ({
      ...rest,
      blocks: typeof content === 'string' ? [textBlock(content)] : content,
    }),
  )
  .meta({ id: 'Message', description: 'A message in Anthropic’s form.' });

/** The members of a body that appends messages, with the bill of their answer and the end of their turn. */
export const conversationMembers = (min: number) => ({
  messages: listOf(messageDraft, { min, max: 1_000 }),
  after: messageId
    .nullable()
    .exactOptional()
    .describe(
      'Message that the session must end with before these, `null` for none: otherwise the append is refused with `revision-mismatch`. Messages of the service count for nothing, repeated ones are skipped',
    ),
  usage: usage.exactOptional().describe('Bill of the last assistant message among them'),
  stopReason: stopReason.exactOptional().describe('Why the turn ended; absent if it continues'),
});

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
