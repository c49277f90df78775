import { RETENTION_DAYS_MAX } from '@app/domain';
import { hasFiniteNumbers, isJsonObject, type JsonObject, LIMITS } from '@app/kernel';
import { z } from 'zod';

/** A whole number from 0, checked in one step: events have many. */
const whole = z
  .custom<number>((value) => Number.isSafeInteger(value) && Number(value) >= 0)
  .meta({ type: 'integer', minimum: 0 });
const nonEmpty = z.string().min(1);
const isWithin = (value: unknown, max: number): boolean => typeof value === 'string' && value.length <= max;
/** External objects, unchanged. */
const jsonObject = z
  .custom<JsonObject>((value) => isJsonObject(value) && hasFiniteNumbers(value))
  .meta({ type: 'object' });

/**
 * Schemas of types by their names: of values whose type alone does not tell their range, and of objects that other versions
 * write with other members. The schemas of events are made of them and of the types in `libs/domain`.
 */
export const VALUES = {
  Whole: whole,
  Tokens: whole,
  Revision: whole,
  NanoUsd: whole,
  Positive: z.int().min(1),
  Several: z.int().min(2),
  Integer: z.int(),
  Real: z.number(),
  Share: z.number().min(0).max(1),
  Milliseconds: z.number().min(0),
  RetentionDays: z.int().min(1).max(RETENTION_DAYS_MAX),
  /** A count of one bill: a compaction of several calls has the sum of theirs. */
  BilledTokens: z
    .int()
    .min(0)
    .max(100 * LIMITS.usageTokens.max),
  NonEmpty: nonEmpty,
  ModelName: z.string().max(LIMITS.modelName.max),
  CallId: z.string().max(LIMITS.callId.max),
  KeyId: z.string().regex(/^[A-Za-z0-9]{12}$/),
  Sha256: z.string().regex(/^[0-9a-f]{64}$/),
  LogPositionText: z.string().regex(/^\d{1,19}$/),
  IsoTime: z.iso.datetime(),
  JsonObject: jsonObject,
  /** A block whose names are as long as its entrances let them be. */
  Block: jsonObject.refine(
    ({ type, id, name: called, tool_use_id: answered }) =>
      (type !== 'tool_use' || (isWithin(id, LIMITS.callId.max) && isWithin(called, LIMITS.toolName.max))) &&
      (type !== 'tool_result' || isWithin(answered, LIMITS.callId.max)),
  ),
  StageName: nonEmpty,
  SessionEventType: nonEmpty,
  /** Later versions have other fields. */
  Profile: z.looseObject({
    name: nonEmpty.max(LIMITS.profileName.max),
    mode: z.enum(['automatic', 'authorized', 'off']),
    stages: z.array(nonEmpty),
  }),
};
