/**
 * Values attached to objects that live shortly, such as requests; used like a `WeakMap`. V8 keeps the values of a `WeakMap`, and
 * all that they refer to, until its next full collection, also where their keys are long dead: requests would never die young.
 */
export class Attached<Key extends object, Value> {
  readonly #name = Symbol('attached');

  get(key: Key): Value | undefined {
    const value: unknown = Reflect.get(key, this.#name);
    return value as Value | undefined; // Only `set` knows the name.
  }

  /** Returns the value of an object, which `make` returns at the first call. */
  once(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  /** @throws {TypeError} for a frozen object. */
  set(key: Key, value: Value): void {
    Object.defineProperty(key, this.#name, { value, writable: true, configurable: true });
  }
}
