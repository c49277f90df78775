import type { Brand } from '@app/kernel';

/** JSON omits members with the value `undefined`. */
type Missing<Type> = { [Key in keyof Type]: undefined extends Type[Key] ? Key : never }[keyof Type];

/** A type as JSON carries it: without brands, with positions as strings, and open where a provider defines it. */
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
 * The answer of the service as the result of a command: the API answers with exactly that, as JSON. The parameter holds
 * the client's types to it: a member that a command gains, and the client lacks, fails to compile here.
 */
export function resultOf<Result>(answer: AsJson<NoInfer<Result>>): Result;
export function resultOf(answer: unknown): unknown {
  return answer;
}
