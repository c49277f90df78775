import type { DescriptionFilter } from '@app/ports';

/** Returns a filter with its labels as the API takes them: `name` or `name=value`. */
export const withLabels = <Filter extends DescriptionFilter>({ labels = [], ...filter }: Filter) => ({
  ...filter,
  ...(labels.length > 0 && {
    label: labels.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`)),
  }),
});
