import type { JsonObject } from '@app/kernel';
import { objectOf } from '../provider-rules/values.js';

/** One thing that a session holds: who said it, of which kind it is, and all of it as text. */
export type Fact = { readonly role: string; readonly kind: string; readonly value: string };

/** The facts of a block of Anthropic's protocol: the block itself, byte for byte. */
export const factOf = (role: string, block: JsonObject): Fact => ({
  role,
  kind: String(block.type),
  value: JSON.stringify(block),
});

/** The facts of one role and kind, in their order. */
export type Series = Readonly<Record<string, readonly string[]>>;

/**
 * Facts as one list for each role and kind. The order between kinds is not compared: a harness writes the results of
 * a response between its blocks, while a request has them after it.
 */
export const seriesOf = (facts: readonly Fact[]): Series => {
  const series: Record<string, string[]> = {};
  for (const { role, kind, value } of facts) {
    const key = `${role} ${kind}`;
    series[key] = [...(series[key] ?? []), value];
  }
  return series;
};

/** What an export holds, as facts. */
export const exportedFacts = (
  lines: readonly { readonly role: string; readonly content: readonly unknown[] }[],
): readonly Fact[] =>
  lines.flatMap(({ role, content }) =>
    content.map((block) => factOf(role, withoutOriginal(objectOf(block)))),
  );

/** What stands beside a block is the item that it came from: the same fact in other words. */
const withoutOriginal = ({ openai: _, ...block }: ReturnType<typeof objectOf>) => block;

/** The reasoning blocks among `facts`, as JSON. */
export const reasoningOf = (facts: readonly Fact[]): readonly string[] =>
  facts.filter(({ kind }) => /thinking$/.test(kind)).map(({ value }) => value);
