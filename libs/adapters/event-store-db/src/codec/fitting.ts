import type { Brand } from '@app/kernel';
import type { z } from 'zod';

type Event = { readonly type: string; readonly data: unknown };

/** A type without brands, which exist at compile time only. */
type Plain<Type> = unknown extends Type
  ? unknown
  : Type extends Brand<string, string>
    ? string
    : Type extends Brand<number, string>
      ? number
      : Type extends readonly (infer Item)[]
        ? Plain<Item>[]
        : Type extends object
          ? { [Key in keyof Type]: Plain<Type[Key]> }
          : Type;
type DataOf<Events extends Event, Type> = Plain<Extract<Events, { readonly type: Type }>['data']>;

/** Whether a schema accepts all data of an event and names all of its members. */
type Fits<Data, Given> = [Data] extends [Given]
  ? Exclude<keyof Data, keyof Given> extends never
    ? true
    : false
  : false;
type Unfit<Events extends Event, Schemas extends Record<Events['type'], z.ZodType>> = {
  [Type in Events['type']]: Fits<DataOf<Events, Type>, z.input<Schemas[Type]>> extends true ? never : Type;
}[Events['type']];

/**
 * Returns the schemas of all events, which fit the types of the domain: a schema that rejects data of its event, or does not name
 * one of its members, does not compile.
 */
export const schemasOf =
  <Events extends Event>() =>
  <Schemas extends Record<Events['type'], z.ZodType>>(
    schemas: Schemas & Record<Unfit<Events, Schemas>, never>,
  ): Schemas =>
    schemas;
