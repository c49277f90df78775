declare const brand: unique symbol;

/** A `Base` that only the constructor of that name may produce; it costs nothing at run time. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
