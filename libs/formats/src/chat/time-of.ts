import { type IsoTime, type Json, type JsonObject, ownMember } from '@app/kernel';
import { timeFrom } from '../drafts/members.js';

/** Under which programs note when a message was said. */
const MEMBERS = ['timestamp', 'created_at', 'createdAt', 'created'];
/** Seconds since 1970 have fewer digits than milliseconds: until the year 5138. */
const SECONDS_MAX = 1e11;

/** When a message was said, as its record tells; `undefined` where it does not. */
export const timeOf = (record: JsonObject): IsoTime | undefined =>
  MEMBERS.map((member) => timeFrom(inMilliseconds(ownMember(record, member)))).find(
    (time) => time !== undefined,
  );

const inMilliseconds = (value: Json | undefined): Json | undefined =>
  typeof value === 'number' && value > 0 && value < SECONDS_MAX ? value * 1000 : value;
