import { type IsoTime, type Json, type JsonObject, ownMember } from '@app/kernel';
import { timeFrom } from '../drafts/members.js';

/** Member names of message times. */
const MEMBERS = ['timestamp', 'created_at', 'createdAt', 'created'];
/** Seconds since 1970 have fewer digits than milliseconds: until the year 5138. */
const SECONDS_MAX = 1e11;

/** Returns the time of a message from its record; `undefined` without one. */
export const timeOf = (record: JsonObject): IsoTime | undefined =>
  MEMBERS.map((member) => timeFrom(inMilliseconds(ownMember(record, member)))).find(
    (time) => time !== undefined,
  );

const inMilliseconds = (value: Json | undefined): Json | undefined =>
  typeof value === 'number' && value > 0 && value < SECONDS_MAX ? value * 1000 : value;
