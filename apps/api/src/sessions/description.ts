import { isJsonObject, isName, isWellFormed, LIMITS, nearestOf, pick, setMember } from '@app/kernel';
import type { DescriptionFilter } from '@app/ports';
import { z } from 'zod';

/** Returns a schema for one-line display texts. */
const name = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => text === '' || isName(text, text.length),
      'give a text without control characters and lone surrogates',
    );

export const title = name(LIMITS.title.max);
export const agentName = name(LIMITS.agentName.max);
export const project = name(LIMITS.project.max);

/** The person or system that a session works for, and the caller's customer: IDs, kept as the labels of these names. */
export const user = name(LIMITS.labelValue.max);
export const customer = name(LIMITS.labelValue.max);

/** Returns labels with those of user and customer. */
export const withIdentity = <Value extends string | null>(
  given: {
    readonly user?: Value;
    readonly customer?: Value;
  },
  labels: Readonly<Record<string, Value>> = {},
): Readonly<Record<string, Value>> => ({
  ...labels,
  ...pick(given, 'user', 'customer'),
});

const isLabelValue = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= LIMITS.labelValue.max && isWellFormed(value);

/** Returns a schema for labels of any name; `z.record` would silently drop `__proto__`. */
const labelsOf = <Value extends string | null>(isValue: (value: unknown) => boolean) =>
  z.custom<Readonly<Record<string, Value>>>(
    (given) =>
      isJsonObject(given) &&
      Object.keys(given).length <= LIMITS.labels.max &&
      Object.entries(given).every(([label, value]) => isName(label, LIMITS.labelName.max) && isValue(value)),
    `give at most ${LIMITS.labels.max} texts of at most ${LIMITS.labelValue.max} characters by names of at most ${LIMITS.labelName.max}`,
  );

const sizes = {
  type: 'object' as const,
  maxProperties: LIMITS.labels.max,
  propertyNames: { type: 'string' as const, minLength: 1, maxLength: LIMITS.labelName.max },
};

export const labels = labelsOf<string>(isLabelValue).meta({
  ...sizes,
  additionalProperties: { type: 'string', maxLength: LIMITS.labelValue.max },
});
export const labelChanges = labelsOf<string | null>((value) => value === null || isLabelValue(value)).meta({
  ...sizes,
  additionalProperties: { type: ['string', 'null'], maxLength: LIMITS.labelValue.max },
});

const LABEL_RULE = 'give name or name=value';
/** A label filter: its name, or its name and value. */
const labelFilter = z
  .string()
  .min(1)
  .max(LIMITS.labelName.max + 1 + LIMITS.labelValue.max)
  .refine((text) => !text.startsWith('='), LABEL_RULE);

/** One label, or several that a session must all have. */
const labelFilters = z
  .union([labelFilter.transform((label) => [label]), z.array(labelFilter).min(1).max(10)], LABEL_RULE)
  .transform((all) => all.map(labelIn))
  .describe('name or name=value; each of several where it is given several times');

/** Filters by the current metadata of sessions. */
export const descriptionFilters = {
  agent: agentName.exactOptional().describe('Sessions of this agent program'),
  project: project.exactOptional().describe('Sessions of this project'),
  user: user.exactOptional().describe('Sessions with this label `user`'),
  customer: customer.exactOptional().describe('Sessions with this label `customer`'),
  label: labelFilters.exactOptional(),
};
const given = z.object(descriptionFilters);

/** Returns the filters with those of user and customer as labels. */
export const withLabels = <Given extends z.output<typeof given>>({
  label = [],
  user,
  customer,
  ...filters
}: Given): Omit<Given, 'label' | 'user' | 'customer'> & Pick<DescriptionFilter, 'labels'> => {
  const identity = Object.entries({ user, customer }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const labels = [...label, ...identity];
  return { ...filters, ...(labels.length > 0 && { labels }) };
};

const LABEL_GROUP = 'label:';
/** Returns a schema for a dimension of totals: one of the names, or `label:` and the name of a label. */
export const groupOf = <const Name extends string>(names: readonly Name[]) =>
  z.union([z.enum(names), z.templateLiteral([LABEL_GROUP, z.string().min(1).max(LIMITS.labelName.max)])], {
    error: ({ input }) => {
      const nearest = typeof input === 'string' ? nearestOf(input, names) : undefined;
      const hint = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
      return `give one of ${names.join(', ')}, or ${LABEL_GROUP}NAME for a label${hint}`;
    },
  });

const labelIn = (text: string): { readonly name: string; readonly value?: string } => {
  const at = text.indexOf('=');
  return at < 0 ? { name: text } : { name: text.slice(0, at), value: text.slice(at + 1) };
};

/** Labels as query parameters, each `name=value`. */
export const givenLabels = z
  .union([z.string().transform((label) => [label]), z.array(z.string()).max(LIMITS.labels.max)])
  .transform((all, context): Readonly<Record<string, string>> => {
    const given: Record<string, string> = {};
    for (const { name: label, value = '' } of all.filter((text) => text.includes('=')).map(labelIn))
      setMember(given, label, value);
    if (all.every((text) => text.includes('=')) && labels.safeParse(given).success) return given;
    context.addIssue({ code: 'custom', message: 'give labels as name=value' });
    return z.NEVER;
  })
  .describe('name=value; a label each where it is given several times');
