import type { FactoryProvider } from '@nestjs/common';
import type { Ports } from './symbols.js';

type Constructor<T> = abstract new (...parts: never[]) => T;
/** A symbol of {@link Ports}, or the class itself. */
type Token = keyof Ports | Constructor<object>;
type PartOf<T> = T extends keyof Ports ? Ports[T] : T extends Constructor<infer Part> ? Part : never;
/** Tokens that provide a part of this type. */
type TokenOf<Part> =
  | { [Name in keyof Ports]: Ports[Name] extends Part ? Name : never }[keyof Ports]
  | Constructor<Part>;

/** Parts by the names of their tokens. */
export type PartsOf<Needs extends Readonly<Record<string, Token>>> = {
  readonly [Name in keyof Needs]: PartOf<Needs[Name]>;
};

/** Returns a provider for a class without Nest decorators, from the tokens of its constructor's parameters in order. */
export const classProvider = <Parts extends readonly unknown[], Provided extends object>(
  provide: new (...parts: Parts) => Provided,
  ...inject: { readonly [At in keyof Parts]: TokenOf<Parts[At]> }
): FactoryProvider => ({
  provide,
  inject: [...inject],
  useFactory: (...parts: Parts) => new provide(...parts),
});

/** Returns a provider for a part created by a function, which receives other parts by name. */
export const factoryProvider = <Provided extends Token, Needs extends Readonly<Record<string, Token>>>(
  provide: Provided,
  needs: Needs,
  make: (parts: PartsOf<Needs>) => PartOf<Provided> | Promise<PartOf<Provided>>,
): FactoryProvider => partsProvider(provide, needs, make);

/** The same for a token that no other module names. */
export const partsProvider = <Needs extends Readonly<Record<string, Token>>>(
  provide: Token | symbol,
  needs: Needs,
  make: (parts: PartsOf<Needs>) => unknown,
): FactoryProvider => ({
  provide,
  inject: Object.values(needs),
  useFactory: (...parts: unknown[]) => {
    const named = Object.keys(needs).map((name, at) => [name, parts[at]]);
    // Nest passes the parts in the order of `inject`, which equals that of the names.
    return make(Object.fromEntries(named) as PartsOf<Needs>);
  },
});
