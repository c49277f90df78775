import type { MessageDraft } from '@app/application';
import { blockFrom, hasCallNames, REMEDIES, textBlock } from '@app/domain';
import { isShallow } from '@app/formats';
import {
  AppError,
  type AsOf,
  CALL_NAMES_RULE,
  CompactionId,
  isJsonObject,
  isModelName,
  type Json,
  type JsonObject,
  LIMITS,
  MessageId,
  MODEL_NAME_RULE,
  parseAsOf,
  RequestId,
  Revision,
  SessionId,
  Tokens,
  weightOf,
} from '@app/kernel';
import { z } from 'zod';
import { listOf } from '../http/list-of.js';

/** Any JSON object: what a provider defines, and this API passes on as it is. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'give a JSON object').meta({ type: 'object' });

/** What is to be shown beside a session. */
export const budgetBanner = z
  .looseObject({
    state: z.enum(['normal', 'warning', 'critical', 'blocking']),
    occupancy: z.int().describe('Of the next request, in billed tokens'),
    remedies: z.array(z.looseObject({ remedy: z.enum(REMEDIES) })),
    ladder: z.looseObject({ requests: z.int() }).nullable(),
    doubleCompaction: z.boolean(),
  })
  .nullable()
  .describe('From `warning` on, on the ladder and with double compaction: what would help, with its effect');

/** An id of this API, held to the form that its constructor asks for. */
const idOf = <Id extends string>(construct: (value: string) => Id, described: string) =>
  z
    .string()
    .transform((value, context): Id => {
      try {
        return construct(value);
      } catch {
        context.addIssue({ code: 'custom', message: described });
        return z.NEVER;
      }
    })
    .describe(described);

export const sessionId = idOf(SessionId, 'letters, digits and _ . : -, at most 128');
const messageId = idOf(MessageId, 'printable ASCII without blanks, at most 200');
const requestId = idOf(RequestId, 'an id that compose has returned');
export const compactionId = idOf(CompactionId, 'letters, digits, _ and -, at most 64');

/** A profile by its name, or one of one’s own. */
export const profile = z
  .union([z.string().min(1).max(LIMITS.profileName.max), jsonObject])
  .describe('A policy: the name of a profile, or a profile of one’s own');
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
export const reason = z.string().min(1).max(LIMITS.reason.max).describe('Why, for the audit');
export const ASKED_FOR = 'asked for through the API';
export const revision = z.coerce.number().int().min(0).transform(Revision);

/** A state of a session: a revision, a time, or the id of a request. */
export const asOf = z.union([z.string(), z.int()]).transform((value, context): AsOf => {
  try {
    return parseAsOf(String(value));
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof AppError ? error.message : 'not valid' });
    return z.NEVER;
  }
});

const count = z.int().min(0).max(LIMITS.usageTokens.max);
const tokens = count.default(0).transform(Tokens);
export const usage = z
  .strictObject({
    inputTokens: tokens,
    cacheReadTokens: tokens,
    cacheWriteTokens: tokens,
    cacheWrite1hTokens: count.transform(Tokens).optional().describe('Of cacheWriteTokens'),
    outputTokens: tokens,
    requestId: requestId
      .optional()
      .describe(
        'The request that it pays for, as compose has named it; without it the last one before the answer',
      ),
  })
  .transform(({ cacheWrite1hTokens, requestId, ...rest }) => ({
    ...rest,
    ...(cacheWrite1hTokens !== undefined && { cacheWrite1hTokens }),
    ...(requestId !== undefined && { requestId }),
  }));

export const pin = z.looseObject({ pinId: z.string(), kind: z.string(), text: z.string(), tokens: z.int() });

const block = z
  .custom<Json>(isJsonObject, 'give a JSON object')
  .transform((value, context) => {
    const found = isShallow(value) ? blockFrom(value) : undefined;
    if (found && hasCallNames(found)) return found;
    const message = found ? CALL_NAMES_RULE : 'it lacks what a block of its type must have';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ type: 'object', description: 'A content block of the form that Anthropic’s messages have' });

/** A message in Anthropic's form; `id` is given to it where it has none. */
export const messageDraft = z
  .object({
    id: messageId.optional(),
    role: z.enum(['user', 'assistant', 'system']),
    content: z.union([z.string().min(1), listOf(block, { min: 1 })]),
    model: modelName.optional(),
    reasoning: z
      .literal('disposable')
      .optional()
      .describe(
        'Of an assistant message: its reasoning is of no use after its turn. Requests leave it out from then on, and no summarizer reads it',
      ),
  })
  .refine(({ role, reasoning }) => reasoning === undefined || role === 'assistant', {
    message: 'reasoning is a field of assistant messages: others have none',
  })
  .refine(({ content }) => weightOf(content) <= LIMITS.messageBytes.max, {
    message: 'it is larger than 8 MiB: no model takes that',
  })
  .transform(
    ({ id, role, content, model, reasoning }): MessageDraft => ({
      role,
      blocks: typeof content === 'string' ? [textBlock(content)] : content,
      ...(id !== undefined && { id }),
      ...(model !== undefined && { model }),
      ...(reasoning && { reasoning }),
    }),
  );
