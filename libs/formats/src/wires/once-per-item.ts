import type { JsonObject } from '@app/kernel';

/** Returns a function that reads each object once: items of a known history are the same objects in every request. */
export const oncePerItem = <Result>(read: (item: JsonObject) => Result): ((item: JsonObject) => Result) => {
  const known = new WeakMap<JsonObject, { readonly result: Result }>();
  return (item) => {
    const found = known.get(item) ?? { result: read(item) };
    known.set(item, found);
    return found.result;
  };
};
