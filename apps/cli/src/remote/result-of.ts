import type { Brand } from '@app/kernel';

/** Members that JSON omits because they can be `undefined`. */
type Missing<Type> = { [Key in keyof Type]: undefined extends Type[Key] ? Key : never }[keyof Type];

/** A type after JSON: no brands, positions as strings, and `object` for maps and provider-defined objects. */
export type AsJson<Type> = Type extends Brand<string, string> | Brand<bigint, string>
  ? string
  : Type extends Brand<number, string>
    ? number
    : Type extends readonly (infer Item)[]
      ? readonly AsJson<Item>[]
      : Type extends object
        ? string extends keyof Type
          ? object
          : { readonly [Key in keyof Type as Key extends Missing<Type> ? never : Key]: AsJson<Type[Key]> } & {
              readonly [Key in keyof Type as Key extends Missing<Type> ? Key : never]?: AsJson<
                Exclude<Type[Key], undefined>
              >;
            }
        : unknown extends Type
          ? unknown
          : Type;

/**
 * Returns the service's answer as the result of a command; the API answers with that result as JSON. Compilation fails
 * if a member of the result is missing from the client's types.
 */
export function resultOf<Result>(answer: AsJson<NoInfer<Result>>): Result;
export function resultOf(answer: unknown): unknown {
  return answer;
}
