import {
  IsoTime,
  isJsonObject,
  isModelName,
  isUsageCount,
  type Json,
  type JsonObject,
  ownMember,
} from '@app/kernel';
import type { TranscriptUsage } from '../transcript.js';

/** Returns the member of a record if it has the expected type. */
export const stringIn = (record: JsonObject, key: string): string | undefined => {
  const value = ownMember(record, key);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Returns the name of a model; `undefined` if it is not a valid name. */
export const modelNameIn = (record: JsonObject, key = 'model'): string | undefined => {
  const name = stringIn(record, key);
  return name !== undefined && isModelName(name) ? name : undefined;
};

export const objectIn = (record: JsonObject, key: string): JsonObject | undefined => {
  const value = ownMember(record, key);
  return isJsonObject(value) ? value : undefined;
};

export const listIn = (record: JsonObject, key: string): readonly Json[] | undefined => {
  const value = ownMember(record, key);
  if (!Array.isArray(value)) return undefined;
  const list: readonly Json[] = value;
  return list;
};

/** Parses a date as ISO 8601 text (UTC without a zone) or as milliseconds since 1970. */
export const timeFrom = (value: Json | undefined): IsoTime | undefined => {
  if (typeof value === 'string' && !ISO_8601.test(value)) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(typeof value === 'string' && !ZONE.test(value) ? `${value}Z` : value);
  return Number.isNaN(date.getTime()) ? undefined : IsoTime(date);
};
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/;

/** The names under which a format's `usage` counts the tokens of a call. */
type UsageNames = Record<'input' | 'cacheRead' | 'cacheWrite' | 'output', string>;

/** Absent and null counts are 0: providers omit them. */
export const usageFrom = (
  usage: JsonObject | undefined,
  names: UsageNames,
  model: string | undefined,
): TranscriptUsage | undefined =>
  usage && {
    ...(model !== undefined && { model }),
    inputTokens: countFrom(ownMember(usage, names.input)),
    cacheReadTokens: countFrom(ownMember(usage, names.cacheRead)),
    cacheWriteTokens: countFrom(ownMember(usage, names.cacheWrite)),
    outputTokens: countFrom(ownMember(usage, names.output)),
  };

/** Returns a token count; 0 if it is invalid. */
export const countFrom = (value: Json | undefined): number => (isUsageCount(value) ? value : 0);

/** As Anthropic's API reports it, and Claude Code records it. */
export const ANTHROPIC_USAGE: UsageNames = {
  input: 'input_tokens',
  cacheRead: 'cache_read_input_tokens',
  cacheWrite: 'cache_creation_input_tokens',
  output: 'output_tokens',
};
