import type { UsageTotals } from '@app/client';
import { api } from '../api.js';
import { Empty, Loaded } from '../parts/basics.js';
import { ChoiceField, TextField } from '../parts/fields.js';
import { useResource } from '../parts/resource.js';
import { type Column, Table } from '../parts/table.js';
import { costText, count, counted, dollars } from '../parts/text.js';
import { place, setQuery } from '../router.js';

const GROUPS = ['day', 'model', 'profile', 'tenant'] as const;

/** Usage, costs and savings: in sum, and by day, model, profile or tenant. */
export const UsagePage = () => {
  const { query } = place.value;
  const by = GROUPS.find((one) => one === query.get('by')) ?? 'day';
  const text = (name: 'from' | 'to') => query.get(name) || undefined;
  const [from, to] = [text('from'), text('to')];
  const usage = useResource(
    (signal) =>
      api().audit.usage(
        { by, ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
        { signal },
      ),
    [by, from, to],
  );
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <ChoiceField
          title="By"
          value={by}
          options={GROUPS}
          onValue={(value) => setQuery({ by: value }, { replace: true })}
        />
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            type="date"
            title={name === 'from' ? 'First day, UTC' : 'Last day, UTC'}
            value={query.get(name) ?? ''}
            isCommitted
            onValue={(value) => setQuery({ [name]: value }, { replace: true })}
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

const Totals = ({ value: { total, groups }, by }: TotalsProps) => {
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
    </>
  );
};

const priced = (cost: { readonly nanoUsd: number | null }): string =>
  cost.nanoUsd === null ? 'nothing that has a price' : dollars(cost.nanoUsd);

const columnsOf = (by: string, mostSaved: number): readonly Column<UsageTotals['groups'][number]>[] => [
  { title: by, isHead: true, cell: ({ key }) => key },
  { title: 'Source', cell: ({ source }) => source },
  { title: 'Calls', isNumber: true, cell: ({ calls }) => count(calls) },
  { title: 'Input, billed tokens', isNumber: true, cell: ({ tokens }) => count(tokens.input) },
  { title: 'Cache read', isNumber: true, cell: ({ tokens }) => count(tokens.cacheRead) },
  { title: 'Output', isNumber: true, cell: ({ tokens }) => count(tokens.output) },
  { title: 'Cost', isNumber: true, cell: ({ cost }) => costText(cost) },
  { title: 'Compactions', isNumber: true, cell: ({ compactions }) => count(compactions.completed) },
  { title: 'Their cost', isNumber: true, cell: ({ compactions }) => costText(compactions.cost) },
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
