import type { AuditFilter, AuditRow, CountAuditRowsQuery } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { api, user } from '../api.js';
import { Empty, Loaded, PageHead, Refusal, SessionLink } from '../parts/basics.js';
import { ChoiceField, TextField } from '../parts/fields.js';
import { useResource } from '../parts/resource.js';
import { saveAs } from '../parts/save-as.js';
import { type Column, Table } from '../parts/table.js';
import { Tabs } from '../parts/tabs.js';
import { count, counted, spaced, timeText } from '../parts/text.js';
import { hrefOf, place, setQuery } from '../router.js';
import { ErasuresPage } from './erasures-page.js';
import { HoldsPage } from './holds-page.js';
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
type Group = Exclude<CountAuditRowsQuery['by'], `label:${string}`>;
/** The groups of the API. A label is not offered. */
const GROUPS: Readonly<Record<Group, 1>> = {
  ...{ type: 1, day: 1, actor: 1, outcome: 1, trigger: 1, profile: 1, model: 1, session: 1 },
  ...{ user: 1, customer: 1, project: 1, agent: 1 },
};
const isGroup = (text: string): text is Group => Object.hasOwn(GROUPS, text);

/** Every filter of the audit, by its parameter. */
const FIELDS = [
  { name: 'session', title: 'Session' },
  { name: 'user', title: 'User' },
  { name: 'customer', title: 'Customer' },
  { name: 'project', title: 'Project' },
  { name: 'agent', title: 'Agent' },
  { name: 'label', title: 'Label, as name or name=value' },
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

const VIEWS: readonly { readonly name: string; readonly title: string; readonly says: string }[] = [
  {
    name: 'events',
    title: 'Events',
    says: 'All recorded events with actor, time and size, without content. The address of this page keeps the filters: share it as a link.',
  },
  {
    name: 'usage',
    title: 'Usage and savings',
    says: 'Usage of models, and cost and savings of compactions, in billed tokens unless a column says counted.',
  },
  {
    name: 'erasures',
    title: 'Erasures',
    says: 'The erasure ledger: scope, requester and receipt of each erasure.',
  },
  {
    name: 'holds',
    title: 'Holds',
    says: 'Sessions under a legal hold, which blocks their erasure until it is released.',
  },
];

/** The audit in four views; keys with the role `privacy` read erasures alone. */
export const AuditPage = () => {
  const [, named = user.value?.role === 'privacy' ? 'erasures' : 'events'] = place.value.path;
  const view = VIEWS.find(({ name }) => name === named) ?? VIEWS[0];
  return (
    <>
      <PageHead title="Audit">{view?.says}</PageHead>
      <Tabs
        class="tabs"
        label="Views of the audit"
        tabs={VIEWS.map(({ name, title }) => ({
          title,
          href: hrefOf(name === 'events' ? ['audit'] : ['audit', name]),
          isHere: name === view?.name,
        }))}
      />
      {view?.name === 'events' && <Events />}
      {view?.name === 'usage' && <UsagePage />}
      {view?.name === 'erasures' && <ErasuresPage />}
      {view?.name === 'holds' && <HoldsPage />}
    </>
  );
};

const Events = () => {
  const { query } = place.value;
  const filter = filterIn(query);
  const by = query.get('by') ?? '';
  return (
    <>
      <Filters />
      <div class="actions">
        <ChoiceField
          title="Count by"
          value={by}
          none="no groups"
          options={Object.keys(GROUPS)}
          onValue={(value) => setQuery({ by: value }, { replace: true })}
        />
        <Exports filter={filter} />
      </div>
      {isGroup(by) && <Totals filter={filter} by={by} />}
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

/** Saves the events of the filters as a file, with the key of this page. */
const Exports = ({ filter }: { readonly filter: AuditFilter }) => {
  const [state, setState] = useState<{ readonly says?: string; readonly error?: unknown }>({});
  const save = async (name: string, parts: AsyncIterable<string | AuditRow>): Promise<void> => {
    setState({ says: 'Exporting …' });
    try {
      const texts: string[] = [];
      for await (const part of parts)
        texts.push(typeof part === 'string' ? part : `${JSON.stringify(part)}\n`);
      saveAs(name, texts, 'text/plain');
      setState({ says: `Saved ${name}.` });
    } catch (error) {
      setState({ error });
    }
  };
  return (
    <>
      <button type="button" onClick={() => void save('audit.csv', api().audit.exportCsv(filter))}>
        Export as CSV
      </button>
      <button type="button" onClick={() => void save('audit.ndjson', api().audit.export(filter))}>
        Export as NDJSON
      </button>
      <span role="status">{state.says}</span>
      {state.error !== undefined && <Refusal error={state.error} />}
    </>
  );
};

const Filters = () => {
  const { query } = place.value;
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        {FIELDS.map((field) => {
          const common = {
            title: field.title,
            value: query.get(field.name) ?? '',
            onValue: (value: string) => setQuery({ [field.name]: value }, { replace: true }),
          };
          return 'options' in field ? (
            <ChoiceField key={field.name} {...common} none="any" options={field.options} />
          ) : (
            <TextField key={field.name} {...common} type="search" isCommitted />
          );
        })}
      </form>
    </search>
  );
};

const Totals = ({ filter, by }: { readonly filter: AuditFilter; readonly by: Group }) => {
  const totals = useResource((signal) => api().audit.totals({ ...filter, by }, { signal }), [filter, by]);
  return (
    <Loaded of={totals} what="the counts">
      {({ events, groups, omittedGroups }) => (
        <>
          <p class="muted">
            {counted(events, 'event')}
            {omittedGroups > 0 && `, ${counted(omittedGroups, 'group')} not listed`}
          </p>
          <Table
            label={`Counts by ${by}`}
            rows={groups}
            keyOf={({ key }) => key ?? ''}
            columns={[
              { title: by, isHead: true, cell: ({ key }) => key ?? 'none' },
              { title: 'Events', isNumber: true, cell: (group) => count(group.events) },
            ]}
          />
        </>
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
            <Table
              label="Audit rows"
              rows={[...shown, ...items]}
              keyOf={({ position }) => position}
              columns={COLUMNS}
            />
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

const COLUMNS: readonly Column<AuditRow>[] = [
  { title: 'Time', cell: ({ recordedAt }) => timeText(recordedAt) },
  { title: 'Event', cell: ({ type }) => <a href={hrefOf(['audit'], { type })}>{spaced(type)}</a> },
  {
    title: 'Session',
    cell: ({ session }) =>
      session === null ? <span class="muted">the tenant</span> : <SessionLink session={session} />,
  },
  {
    title: 'Revision',
    isNumber: true,
    cell: ({ session, revision }) =>
      session === null ? (
        count(revision)
      ) : (
        <a href={hrefOf(['sessions', session, 'log'], { at: revision })}>{count(revision)}</a>
      ),
  },
  { title: 'Actor', cell: ({ actor }) => <code>{actor}</code> },
  { title: 'Trigger', cell: ({ trigger }) => trigger },
  { title: 'Outcome', cell: ({ outcome }) => outcome },
  {
    title: 'Facts',
    cell: ({ payload }) => (
      <details>
        <summary>{Object.keys(payload).slice(0, 3).join(', ')}</summary>
        <pre class="plain">{JSON.stringify(payload, null, 1)}</pre>
      </details>
    ),
  },
];
