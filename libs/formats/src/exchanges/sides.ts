import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import { objectIn } from '../drafts/members.js';

/** The request and the response in a record. */
export type Sides = { readonly request?: JsonObject; readonly response?: JsonObject };

/**
 * Returns the two sides of a recorded exchange: of a batch (`body`, `params`, `response.body`, `result.message`), or
 * of a log (`request` and `response`, optionally HTTP messages with a `body`, or `input` and `output`). None in a
 * record with a type, which is another kind of event.
 */
export const sidesOf = (record: JsonObject): Sides => {
  if (typeof record.type === 'string') return {};
  const { body, params, input, inputs, output, outputs } = record;
  const request = bodyOf(record.request) ?? firstObject([body, params, input, inputs]);
  const response =
    bodyOf(record.response) ??
    objectIn(objectIn(record, 'result') ?? {}, 'message') ??
    firstObject([output, outputs]);
  return { ...(request && { request }), ...(response && { response }) };
};

const bodyOf = (side: Json | undefined): JsonObject | undefined => {
  const object = objectOf(side);
  return object && (objectOf(object.body) ?? object);
};

const firstObject = (values: readonly (Json | undefined)[]): JsonObject | undefined =>
  values.map(objectOf).find((object) => object !== undefined);

/** An object, or the text of one. */
const objectOf = (value: Json | undefined): JsonObject | undefined => {
  const read = typeof value === 'string' && value.startsWith('{') ? parseJson(value) : value;
  return isJsonObject(read) ? read : undefined;
};
