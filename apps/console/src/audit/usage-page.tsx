import type { UsageTotals } from '@app/client';
import { api } from '../api.js';
import { Empty, Loaded } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { count, dollars } from '../parts/text.js';
import { place, setQuery } from '../router.js';

/** Usage, costs and savings: in sum, and by day, model, profile or tenant. */
export const UsagePage = () => {
  const { query } = place.value;
  const by = (['day', 'model', 'profile', 'tenant'] as const).find((one) => one === query.get('by')) ?? 'day';
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
        <label class="field">
          <span>By</span>
          <select
            value={by}
            onChange={({ currentTarget }) => setQuery({ by: currentTarget.value }, { replace: true })}
          >
            {['day', 'model', 'profile', 'tenant'].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {(['from', 'to'] as const).map((name) => (
          <label class="field" key={name}>
            <span>{name === 'from' ? 'First day, UTC' : 'Last day, UTC'}</span>
            <input
              type="date"
              value={query.get(name) ?? ''}
              onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value }, { replace: true })}
            />
          </label>
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

const Totals = ({ value, by }: { readonly value: UsageTotals; readonly by: string }) => {
  const { total, groups } = value;
  const most = Math.max(1, ...groups.map(({ compactions }) => compactions.countedSaved));
  return (
    <>
      <p>
        <strong class="number">{count(total.compactions.countedSaved)}</strong> counted tokens saved by
        compactions, over {count(total.compactions.requests)} requests; {count(total.compactions.completed)}{' '}
        compactions completed, {count(total.compactions.failed)} failed, {count(total.compactions.skipped)}{' '}
        skipped. They cost{' '}
        {total.compactions.cost.nanoUsd === null
          ? 'nothing that has a price'
          : dollars(total.compactions.cost.nanoUsd)}
        ; models were billed{' '}
        {total.cost.nanoUsd === null ? 'nothing that has a price' : dollars(total.cost.nanoUsd)} in{' '}
        {count(total.calls)} calls.
      </p>
      <div class="scroll" tabIndex={0} role="group" aria-label={`Usage by ${by}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{by}</th>
              <th scope="col">Source</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Input, billed
              </th>
              <th scope="col" class="number">
                Cache read
              </th>
              <th scope="col" class="number">
                Output
              </th>
              <th scope="col" class="number">
                Cost
              </th>
              <th scope="col" class="number">
                Compactions
              </th>
              <th scope="col" class="number">
                Their cost
              </th>
              <th scope="col" class="number">
                Saved, counted
              </th>
              <th scope="col">
                <span class="hidden-text">Saved, drawn</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={`${group.key} ${group.source}`}>
                <th scope="row">{group.key}</th>
                <td>{group.source}</td>
                <td class="number">{count(group.calls)}</td>
                <td class="number">{count(group.tokens.input)}</td>
                <td class="number">{count(group.tokens.cacheRead)}</td>
                <td class="number">{count(group.tokens.output)}</td>
                <td class="number">{group.cost.nanoUsd === null ? '–' : dollars(group.cost.nanoUsd)}</td>
                <td class="number">{count(group.compactions.completed)}</td>
                <td class="number">
                  {group.compactions.cost.nanoUsd === null ? '–' : dollars(group.compactions.cost.nanoUsd)}
                </td>
                <td class="number">{count(group.compactions.countedSaved)}</td>
                <td>
                  <svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                    <rect class="bar-fill" width={(group.compactions.countedSaved / most) * 100} height="6" />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
