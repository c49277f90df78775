import type { Block } from '@app/domain';
import {
  type Actor,
  type CompactionId,
  type ErasureId,
  type IsoTime,
  isJsonObject,
  type JsonObject,
  type MessageId,
  type PinId,
  type RequestId,
  type Revision,
  type SessionId,
  type Tokens,
} from '@app/kernel';
import { z } from 'zod';

/** Gives a schema the type of a brand, which exists at compile time only. */
export const branded = <Type>(schema: z.ZodType): z.ZodType<Type, Type> => schema as z.ZodType<Type, Type>;

export const tokens = branded<Tokens>(z.int());
export const revision = branded<Revision>(z.int());
export const messageId = branded<MessageId>(z.string());
export const compactionId = branded<CompactionId>(z.string());
export const sessionId = branded<SessionId>(z.string());
export const requestId = branded<RequestId>(z.string());
export const pinId = branded<PinId>(z.string());
export const actor = branded<Actor>(z.string());
/** ISO 8601 in UTC, to the millisecond. */
export const isoTime = branded<IsoTime>(z.string());

/** Any JSON object: a provider defines it, and this API passes it on unchanged. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'give a JSON object').meta({ type: 'object' });

export const block = z.custom<Block>(isJsonObject, 'give a JSON object').meta({
  id: 'ContentBlock',
  type: 'object',
  description: 'A content block in Anthropic’s form',
});
export const role = z.enum(['user', 'assistant', 'system']).meta({ id: 'Role' });

/** A share, from 0 to 1. */
export const share = z.number().min(0).max(1);

/** Stands beside the markers of content that was erased. */
export const erased = z
  .object({
    by: actor.describe('The actor that requested it'),
    at: isoTime.describe('Time of the request'),
    erasure: branded<ErasureId>(z.string()),
    scope: z.enum(['subject', 'session', 'tenant']),
  })
  .meta({ id: 'Erased', description: 'The erasure of content, which markers replace' });
