import type { DescriptionFilter, LabelGroup } from '@app/ports';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { storableJson, storableText } from '../rows/storable.js';

/** Returns the text of a value of the filter, or a placeholder for it. */
type PlaceOf<Filter> = (read: (filter: Filter) => string | undefined) => RawBuilder<unknown>;

/**
 * Returns the conditions of a filter on columns of `read.sessions`.
 *
 * @param place makes the value of a condition from a function that reads it, so that a cached statement can hold its place.
 */
export const descriptionConditions = <Filter extends DescriptionFilter>(
  filter: DescriptionFilter,
  place: PlaceOf<Filter>,
): readonly RawBuilder<SqlBool>[] => [
  ...(filter.agent === undefined ? [] : [sql<SqlBool>`agent = ${place(({ agent }) => stored(agent))}`]),
  ...(filter.project === undefined
    ? []
    : [sql<SqlBool>`project = ${place(({ project }) => stored(project))}`]),
  ...(filter.labels ?? []).map(({ value }, at) =>
    value === undefined
      ? sql<SqlBool>`jsonb_exists(labels, ${place(({ labels }) => stored(labels?.[at]?.name))})`
      : sql<SqlBool>`labels @> ${place(({ labels }) => memberText(labels?.[at]))}::jsonb`,
  ),
];

/** Returns the key of a filter's conditions for cached statements: which are given, without their values. */
export const descriptionShape = ({ agent, project, labels = [] }: DescriptionFilter): string =>
  [
    ...(agent === undefined ? [] : ['agent']),
    ...(project === undefined ? [] : ['project']),
    ...labels.map(({ value }) => (value === undefined ? 'label' : 'label=value')),
  ].join();

export const isDescribed = (filter: DescriptionFilter): boolean => descriptionShape(filter) !== '';

const stored = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : storableText(text);
const memberText = (label: { readonly name: string; readonly value?: string } | undefined): string =>
  JSON.stringify(storableJson(label === undefined ? {} : { [label.name]: label.value }));

/** Returns the label of a dimension: its name after `label:`, or that of a user or customer. */
export const labelOf = (by: 'user' | 'customer' | LabelGroup): string =>
  storableText(by.startsWith('label:') ? by.slice('label:'.length) : by);

export const isLabelGroup = (by: string): by is 'user' | 'customer' | LabelGroup =>
  by === 'user' || by === 'customer' || by.startsWith('label:');
