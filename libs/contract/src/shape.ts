import type { z } from 'zod';

/** The values of a schema, read-only at every depth. */
export type Shape<Schema extends z.ZodType> = ReadonlyDeep<z.output<Schema>>;

type Primitive = string | number | bigint | boolean | null | undefined;
type ReadonlyDeep<Type> = unknown extends Type
  ? unknown
  : Type extends Primitive
    ? Type
    : Type extends readonly (infer Item)[]
      ? readonly ReadonlyDeep<Item>[]
      : { readonly [Key in keyof Type]: ReadonlyDeep<Type[Key]> };
