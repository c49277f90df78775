import type { JsonObject } from '@app/kernel';
import { objectOf } from '../provider-rules/values.js';

/** A fact about a session: role, kind, and the whole content as text. */
export type Fact = { readonly role: string; readonly kind: string; readonly value: string };

/** Returns the fact of an Anthropic block: the exact block. */
export const factOf = (role: string, block: JsonObject): Fact => ({
  role,
  kind: String(block.type),
  value: JSON.stringify(block),
});

/** The facts per role and kind, in order. */
export type Series = Readonly<Record<string, readonly string[]>>;

/**
 * Groups facts by role and kind. The order between kinds is not compared: a harness writes a response's results
 * between its blocks, while a request has them after it.
 */
export const seriesOf = (facts: readonly Fact[]): Series => {
  const series: Record<string, string[]> = {};
  for (const { role, kind, value } of facts) {
    const key = `${role} ${kind}`;
    series[key] = [...(series[key] ?? []), value];
  }
  return series;
};

/** Returns the content of an export as facts. */
export const exportedFacts = (
  lines: readonly { readonly role: string; readonly content: readonly unknown[] }[],
): readonly Fact[] =>
  lines.flatMap(({ role, content }) =>
    content.map((block) => factOf(role, withoutOriginal(objectOf(block)))),
  );

/** Excludes the original item beside a block, which is the same fact in another form. */
const withoutOriginal = ({ openai: _, ...block }: ReturnType<typeof objectOf>) => block;

/** Returns the reasoning blocks among `facts`, as JSON. */
export const reasoningOf = (facts: readonly Fact[]): readonly string[] =>
  facts.filter(({ kind }) => /thinking$/.test(kind)).map(({ value }) => value);
