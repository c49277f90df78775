import type { ReportUsageQuery, UsageTotals } from '@app/client';
import { api } from '../api.js';
import { Empty, Loaded, SessionLink } from '../parts/basics.js';
import { ChoiceField, TextField } from '../parts/fields.js';
import { useResource } from '../parts/resource.js';
import { type Column, Table } from '../parts/table.js';
import { count, counted, dollars, dollarsIfKnown } from '../parts/text.js';
import { place, setQuery } from '../router.js';

type Group = Exclude<NonNullable<ReportUsageQuery['by']>, `label:${string}`>;
/** The groups of the API; a label is named beside them. */
const GROUPS: Readonly<Record<Group, 1>> = {
  ...{ day: 1, profile: 1, model: 1, session: 1, user: 1, customer: 1, project: 1, agent: 1, tenant: 1 },
};
const LABEL = 'label';
const isGroup = (text: string): text is Group => Object.hasOwn(GROUPS, text);

/** Fields of the form, by their parameter. */
const FIELDS = {
  from: 'First day, UTC',
  to: 'Last day, UTC',
  agent: 'Agent',
  project: 'Project',
  user: 'User',
  customer: 'Customer',
  label: 'Label, as name or name=value',
} as const;

/** Usage, costs and savings: in sum, and by day, model, profile or tenant. */
export const UsagePage = () => {
  const { query } = place.value;
  const asked = query.get('by') ?? 'day';
  const name = query.get('name') ?? '';
  const isLabel = asked === LABEL && name !== '';
  const by = isLabel ? (`label:${name}` as const) : isGroup(asked) ? asked : 'day';
  const filter: ReportUsageQuery = Object.fromEntries(
    Object.keys(FIELDS).flatMap((field) => (query.get(field) ? [[field, query.get(field)]] : [])),
  );
  const usage = useResource((signal) => api().audit.usage({ ...filter, by }, { signal }), [filter, by]);
  const set = (parameter: string) => (value: string) => setQuery({ [parameter]: value }, { replace: true });
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField title="By" value={asked} options={[...Object.keys(GROUPS), LABEL]} onValue={set('by')} />
        {asked === LABEL && (
          <TextField title="Name of the label" value={name} isCommitted onValue={set('name')} />
        )}
        {Object.entries(FIELDS).map(([field, title]) => (
          <TextField
            key={field}
            type={field === 'from' || field === 'to' ? 'date' : 'search'}
            title={title}
            value={query.get(field) ?? ''}
            isCommitted
            onValue={set(field)}
          />
        ))}
      </form>
      <Loaded of={usage} what="usage">
        {(value) =>
          value.groups.length === 0 ? (
            <Empty title="No usage in this time." />
          ) : (
            <Totals value={value} by={by} />
          )
        }
      </Loaded>
    </>
  );
};

type TotalsProps = { readonly value: UsageTotals; readonly by: string };

const Totals = ({ value: { total, groups, omittedGroups }, by }: TotalsProps) => {
  const { compactions, cost } = total;
  return (
    <>
      <p>
        <strong class="number">{count(compactions.countedSaved)}</strong> counted tokens saved by compactions,
        over {counted(compactions.requests, 'request')}; {counted(compactions.completed, 'compaction')}{' '}
        completed, {count(compactions.failed)} failed, {count(compactions.skipped)} skipped. They cost{' '}
        {priced(compactions.cost)}; models were billed {priced(cost)} in {counted(total.calls, 'call')}.
      </p>
      <Table
        label={`Usage by ${by}`}
        rows={groups}
        keyOf={({ key, source }) => `${key} ${source}`}
        columns={columnsOf(by, Math.max(1, ...groups.map((one) => one.compactions.countedSaved)))}
      />
      {omittedGroups > 0 && (
        <p class="muted">{counted(omittedGroups, 'group')} not listed; the sums include them.</p>
      )}
    </>
  );
};

const priced = (cost: { readonly nanoUsd: number | null }): string =>
  cost.nanoUsd === null ? 'nothing that has a price' : dollars(cost.nanoUsd);

const columnsOf = (by: string, mostSaved: number): readonly Column<UsageTotals['groups'][number]>[] => [
  {
    title: by,
    isHead: true,
    cell: ({ key }) =>
      key === null ? <span class="muted">none</span> : by === 'session' ? <SessionLink session={key} /> : key,
  },
  { title: 'Source', cell: ({ source }) => source },
  { title: 'Calls', isNumber: true, cell: ({ calls }) => count(calls) },
  { title: 'Input, billed tokens', isNumber: true, cell: ({ tokens }) => count(tokens.input) },
  { title: 'Cache read', isNumber: true, cell: ({ tokens }) => count(tokens.cacheRead) },
  { title: 'Output', isNumber: true, cell: ({ tokens }) => count(tokens.output) },
  { title: 'Cost', isNumber: true, cell: ({ cost }) => dollarsIfKnown(cost.nanoUsd) },
  { title: 'Compactions', isNumber: true, cell: ({ compactions }) => count(compactions.completed) },
  {
    title: 'Their cost',
    isNumber: true,
    cell: ({ compactions }) => dollarsIfKnown(compactions.cost.nanoUsd),
  },
  {
    title: 'Saved, counted tokens',
    isNumber: true,
    cell: ({ compactions }) => count(compactions.countedSaved),
  },
  {
    title: 'Saved, drawn',
    isTitleHidden: true,
    cell: ({ compactions }) => (
      <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-fill" width={(compactions.countedSaved / mostSaved) * 100} height="6" />
      </svg>
    ),
  },
];
