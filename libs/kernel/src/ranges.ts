import type { Tokens } from './units.js';

// Names of strings and numbers in recorded events for ranges that their types do not tell; `number` alone is a whole number
// from 0. The codec of the event store checks them by these names, on write and read: `VALUES` has a schema for each.

/** A text of at least one character. */
export type NonEmpty = string;
/** The name of a model, of at most `LIMITS.modelName` characters. */
export type ModelName = string;
/** A provider's id of a tool call, of at most `LIMITS.callId` characters. */
export type CallId = string;
/** SHA-256 in lower-case hex. */
export type Sha256 = string;
/** A log position as decimal digits, because it exceeds the numbers of JSON. */
export type LogPositionText = string;
/** A whole number from 1. */
export type Positive = number;
/** A whole number from 2. */
export type Several = number;
/** A whole number, below 0 as well. */
export type Integer = number;
/** Any finite number. */
export type Real = number;
/** From 0 to 1. */
export type Share = number;
/** From 0, with fractions. */
export type Milliseconds = number;
/** A count of tokens in a bill. */
export type BilledTokens = Tokens;
