import type { JsonObject } from '@app/kernel';

/** Returns a function that reads each object of a list once: items of a known history are the same objects in every request. */
export const oncePerItem = <Result>(
  read: (item: JsonObject, at: number) => Result,
): ((item: JsonObject, at: number) => Result) => {
  const known = new WeakMap<JsonObject, { readonly at: number; readonly result: Result }>();
  return (item, at) => {
    const last = known.get(item);
    const found = last?.at === at ? last : { at, result: read(item, at) };
    if (found !== last) known.set(item, found);
    return found.result;
  };
};
