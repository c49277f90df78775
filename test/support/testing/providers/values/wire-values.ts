import { isJsonObject, type Json, type JsonObject } from '@app/kernel';

/** Reads an untrusted wire value: a missing or ill-typed member is an empty one. */
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
export const objectsIn = (value: Json | undefined): readonly JsonObject[] => listOf(value).map(objectOf);
export const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
export const numberOr = (value: unknown, other: number): number =>
  typeof value === 'number' ? value : other;
export const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** Returns `value` without these members. */
export const without = (value: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
