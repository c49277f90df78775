import type { AuditFilter, AuditRow } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { api, base } from '../api.js';
import { Empty, Loaded, PageHead, SessionLink } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { count, spaced, timeText } from '../parts/text.js';
import { hrefOf, place, setQuery } from '../router.js';
import { UsagePage } from './usage-page.js';

const PAGE_SIZE = 100;
const TRIGGERS = [
  'threshold',
  'explicit',
  'overflow',
  'requested-mid-turn',
  'idle',
  'model-switched',
  'policy',
  'imported',
];
const OUTCOMES = ['completed', 'failed', 'skipped', 'cancelled', 'reverted'];
const GROUPS = ['type', 'day', 'actor', 'outcome', 'trigger', 'profile', 'model', 'session'] as const;
type Group = (typeof GROUPS)[number];

/** Every filter of the audit, by its parameter. */
const FIELDS = [
  { name: 'session', title: 'Session' },
  { name: 'type', title: 'Event type' },
  { name: 'trigger', title: 'Trigger', options: TRIGGERS },
  { name: 'outcome', title: 'Outcome', options: OUTCOMES },
  { name: 'profile', title: 'Profile' },
  { name: 'model', title: 'Model' },
  { name: 'actor', title: 'Actor' },
  { name: 'correlation', title: 'Correlation' },
  { name: 'compaction', title: 'Compaction' },
  { name: 'lost', title: 'Lost name or words' },
  { name: 'since', title: 'Since (day or time, UTC)' },
  { name: 'until', title: 'Until, exclusive' },
] as const;

/** Who did what, when, and at what size; the address holds the filters. */
export const AuditPage = () => {
  const [, view = 'events'] = place.value.path;
  return (
    <>
      <PageHead title="Audit">
        {view === 'usage'
          ? 'What models were asked, what compactions cost and what they saved, by day in UTC and in billed tokens.'
          : 'Who did what, when and at what size, without content. The address of this page holds the filters: it can be kept as a link.'}
      </PageHead>
      <nav class="tabs" aria-label="Views of the audit">
        <a href={hrefOf(['audit'])} aria-current={view === 'events' ? 'page' : undefined}>
          Events
        </a>
        <a href={hrefOf(['audit', 'usage'])} aria-current={view === 'usage' ? 'page' : undefined}>
          Usage and savings
        </a>
      </nav>
      {view === 'usage' ? <UsagePage /> : <Events />}
    </>
  );
};

const Events = () => {
  const { query } = place.value;
  const filter = filterIn(query);
  const by = GROUPS.find((group) => group === query.get('by'));
  return (
    <>
      <Filters />
      <p class="actions">
        <label class="field">
          <span>Count by</span>
          <select
            value={by ?? ''}
            onChange={({ currentTarget }) => setQuery({ by: currentTarget.value }, { replace: true })}
          >
            <option value="">no groups</option>
            {GROUPS.map((group) => (
              <option key={group}>{group}</option>
            ))}
          </select>
        </label>
        <a href={exportHref('csv')} download="audit.csv">
          Export as CSV
        </a>
        <a href={exportHref('ndjson')} download="audit.ndjson">
          Export as NDJSON
        </a>
      </p>
      {by && <Totals filter={filter} by={by} />}
      <Rows filter={filter} />
    </>
  );
};

const filterIn = (query: URLSearchParams): AuditFilter =>
  Object.fromEntries(
    FIELDS.flatMap(({ name }) => {
      const value = query.get(name);
      return value ? [[name, value]] : [];
    }),
  ) as AuditFilter; // The API checks the values, and its refusal is shown.

const exportHref = (format: 'csv' | 'ndjson'): string => {
  const given = new URLSearchParams({ ...(filterIn(place.value.query) as Record<string, string>), format });
  return `${base}/v1/audit/export?${given}`;
};

const Filters = () => {
  const { query } = place.value;
  const set = (name: string) => (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    setQuery({ [name]: event.currentTarget.value }, { replace: true });
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        {FIELDS.map((field) => (
          <label class="field" key={field.name}>
            <span>{field.title}</span>
            {'options' in field ? (
              <select value={query.get(field.name) ?? ''} onChange={set(field.name)}>
                <option value="">any</option>
                {field.options.map((option) => (
                  <option key={option}>{option}</option>
                ))}
              </select>
            ) : (
              <input type="search" value={query.get(field.name) ?? ''} onChange={set(field.name)} />
            )}
          </label>
        ))}
      </form>
    </search>
  );
};

const Totals = ({ filter, by }: { readonly filter: AuditFilter; readonly by: Group }) => {
  const totals = useResource((signal) => api().audit.totals({ ...filter, by }, { signal }), [filter, by]);
  return (
    <Loaded of={totals} what="the counts">
      {({ events, groups, omittedGroups }) => (
        <div class="scroll" tabIndex={0} role="group" aria-label={`Counts by ${by}`}>
          <table class="narrow">
            <caption>
              {count(events)} events{omittedGroups > 0 && `, ${count(omittedGroups)} groups not listed`}
            </caption>
            <tbody>
              {groups.map((group) => (
                <tr key={group.key}>
                  <th scope="row">{group.key ?? 'none'}</th>
                  <td class="number">{count(group.events)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Loaded>
  );
};

const Rows = ({ filter }: { readonly filter: AuditFilter }) => {
  const [cursor, setCursor] = useState<string>();
  const [shown, setShown] = useState<readonly AuditRow[]>([]);
  const key = JSON.stringify(filter);
  useEffect(() => {
    setCursor(undefined);
    setShown([]);
  }, [key]);
  const page = useResource(
    (signal) =>
      api().audit.page({ ...filter, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }, { signal }),
    [filter, cursor],
  );
  return (
    <Loaded of={page} what="audit rows">
      {({ items, next }) =>
        items.length + shown.length === 0 ? (
          <Empty title="No event matches these filters.">
            <a href={hrefOf(['audit'])}>Remove all filters</a>
          </Empty>
        ) : (
          <>
            <Table rows={[...shown, ...items]} />
            {next !== null && (
              <button
                type="button"
                onClick={() => {
                  setShown([...shown, ...items]);
                  setCursor(next);
                }}
              >
                Older events
              </button>
            )}
          </>
        )
      }
    </Loaded>
  );
};

const Table = ({ rows }: { readonly rows: readonly AuditRow[] }) => (
  <div class="scroll" tabIndex={0} role="group" aria-label="Audit rows">
    <table>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Event</th>
          <th scope="col">Session</th>
          <th scope="col" class="number">
            Revision
          </th>
          <th scope="col">Actor</th>
          <th scope="col">Trigger</th>
          <th scope="col">Outcome</th>
          <th scope="col">Facts</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.position}>
            <td>{timeText(row.recordedAt)}</td>
            <td>
              <a href={hrefOf(['audit'], { type: row.type })}>{spaced(row.type)}</a>
            </td>
            <td>
              {row.session === null ? (
                <span class="muted">the tenant</span>
              ) : (
                <SessionLink session={row.session} />
              )}
            </td>
            <td class="number">
              {row.session === null ? (
                count(row.revision)
              ) : (
                <a href={hrefOf(['sessions', row.session, 'log'], { at: row.revision })}>
                  {count(row.revision)}
                </a>
              )}
            </td>
            <td>
              <code>{row.actor}</code>
            </td>
            <td>{row.trigger}</td>
            <td>{row.outcome}</td>
            <td>
              <details>
                <summary>{Object.keys(row.payload).slice(0, 3).join(', ')}</summary>
                <pre class="plain">{JSON.stringify(row.payload, null, 1)}</pre>
              </details>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
