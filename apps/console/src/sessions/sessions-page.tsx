import type { SessionFilter, SessionSort, SessionSummary } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, mayWrite } from '../api.js';
import { Empty, Loading, OccupancyBar, PageHead, Refusal, State, Time } from '../parts/basics.js';
import { count } from '../parts/text.js';
import { VirtualList } from '../parts/virtual-list.js';
import { hrefOf, place, setQuery } from '../router.js';
import { ImportFile } from './import-file.js';

const PAGE_SIZE = 200;
const ROW_PX = 44;

/** All sessions of the tenant; filters and order are in the address. */
export const SessionsPage = () => {
  const filter = filterIn(place.value.query);
  const list = useSessions(filter);
  return (
    <div class="fill">
      <PageHead title="Sessions" actions={mayWrite.value && <ImportFile onDone={list.reload} />}>
        Every session of this tenant. Occupancy is the size of the next request in billed tokens.
      </PageHead>
      <Filters />
      {list.error !== undefined && <Refusal error={list.error} retry={list.reload} />}
      {list.error === undefined && <Table {...list} />}
    </div>
  );
};

const filterIn = (query: URLSearchParams): SessionFilter => {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const [title, agent, project, label, state, sort] = [
    text('title'),
    text('agent'),
    text('project'),
    text('label'),
    text('state'),
    text('sort'),
  ];
  return {
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
    ...(label !== undefined && { label }),
    ...(isState(state) && { state }),
    ...(isSort(sort) && { sort }),
  };
};

const STATES = ['normal', 'warning', 'critical', 'blocking'] as const;
const SORTS = {
  '-lastActivity': 'Latest activity first',
  lastActivity: 'Oldest activity first',
  '-occupancy': 'Largest first',
  occupancy: 'Smallest first',
  '-opened': 'Newest first',
  opened: 'Oldest first',
} as const satisfies Record<SessionSort, string>;
const isState = (text = ''): text is (typeof STATES)[number] => STATES.some((state) => state === text);
const isSort = (text = ''): text is SessionSort => Object.hasOwn(SORTS, text);

type Listed = {
  readonly items: readonly SessionSummary[];
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly reload: () => void;
  readonly more: () => void;
};

/** Pages of the list, loaded as they are scrolled to. */
const useSessions = (filter: SessionFilter): Listed => {
  const key = JSON.stringify(filter);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{
    readonly items: readonly SessionSummary[];
    readonly next: string | null | undefined;
    readonly error: unknown;
  }>({ items: [], next: undefined, error: undefined });
  const running = useRef<AbortController>(undefined);
  const load = (items: readonly SessionSummary[], cursor: string | undefined): void => {
    const stop = new AbortController();
    running.current = stop;
    const at = cursor === undefined ? {} : { cursor };
    api()
      .sessions.page({ ...filter, ...at, limit: PAGE_SIZE, signal: stop.signal })
      .then(
        (page) => {
          if (stop.signal.aborted) return;
          running.current = undefined;
          setState({ items: [...items, ...page.items], next: page.next, error: undefined });
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setState({ items, next: null, error });
        },
      );
  };
  useEffect(() => {
    setState({ items: [], next: undefined, error: undefined });
    load([], undefined);
    return () => running.current?.abort();
  }, [key, round]);
  const { items, next, error } = state;
  return {
    items,
    error,
    isLoading: next === undefined,
    hasMore: typeof next === 'string',
    reload: () => setRound(round + 1),
    more: () => {
      if (typeof next === 'string' && !running.current) load(items, next);
    },
  };
};

const Filters = () => {
  const { query } = place.value;
  const field = (name: string, label: string) => (
    <label class="field">
      <span>{label}</span>
      <input
        type="search"
        value={query.get(name) ?? ''}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value }, { replace: true })}
      />
    </label>
  );
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        {field('title', 'Words in the title')}
        {field('agent', 'Agent')}
        {field('project', 'Project')}
        {field('label', 'Label')}
        <label class="field">
          <span>State</span>
          <select
            value={query.get('state') ?? ''}
            onChange={({ currentTarget }) => setQuery({ state: currentTarget.value }, { replace: true })}
          >
            <option value="">any</option>
            {STATES.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Order</span>
          <select
            value={query.get('sort') ?? '-lastActivity'}
            onChange={({ currentTarget }) => setQuery({ sort: currentTarget.value }, { replace: true })}
          >
            {Object.entries(SORTS).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </label>
      </form>
    </search>
  );
};

const Table = ({ items, isLoading, hasMore, more }: Listed) => {
  if (isLoading) return <Loading what="sessions" />;
  if (items.length === 0) {
    const isFiltered = [...place.value.query.keys()].some((name) => name !== 'sort');
    return isFiltered ? (
      <Empty title="No session matches these filters.">
        <a href={hrefOf(['sessions'])}>Show all sessions</a>
      </Empty>
    ) : (
      <Empty title="No session yet.">
        <p>
          Drop a transcript of your agent on this page, import it with <code>palimpsest import FILE</code>, or
          point your agent at the gateway.
        </p>
      </Empty>
    );
  }
  return (
    <div class="sessions">
      <div role="table" aria-label="Sessions" aria-rowcount={hasMore ? -1 : items.length + 1}>
        <div role="rowgroup">
          <div role="row" class="session-row head" aria-rowindex={1}>
            {COLUMNS.map((name) => (
              <span role="columnheader" key={name} class={`col-${name.split(' ')[0]?.toLowerCase()}`}>
                {name}
              </span>
            ))}
          </div>
        </div>
        <VirtualList
          rows={items.length}
          rowHeight={ROW_PX}
          role="rowgroup"
          label="Rows of sessions"
          onRange={(_, last) => last > items.length - 30 && hasMore && more()}
          render={(at) => <Row key={at} at={at} session={items[at]} />}
        />
      </div>
      <p class="muted foot">
        {count(items.length)}
        {hasMore ? ' and more' : ''} sessions
      </p>
    </div>
  );
};

const COLUMNS = [
  'Session',
  'Agent',
  'Model',
  'State',
  'Occupancy',
  'Compactions',
  'Messages',
  'Activity',
] as const;

const Row = ({ session, at }: { readonly session: SessionSummary | undefined; readonly at: number }) =>
  session && (
    <div role="row" class="session-row" aria-rowindex={at + 2}>
      <span role="cell" class="col-session">
        <a href={hrefOf(['sessions', session.session])}>{session.title ?? session.session}</a>
        <span class="muted sub">
          {session.title !== null && session.session}
          {Object.entries(session.labels).map(([name, value]) => (
            <span class="label" key={name}>
              {value === '' ? name : `${name}=${value}`}
            </span>
          ))}
        </span>
      </span>
      <span role="cell" class="col-agent">
        {session.agent ?? <span class="muted">–</span>}
        {session.project !== null && <span class="muted sub">{session.project}</span>}
      </span>
      <span role="cell" class="col-model">
        {session.model}
      </span>
      <span role="cell" class="col-state">
        <State state={session.state} />
      </span>
      <span role="cell" class="col-occupancy">
        <OccupancyBar {...session} />
      </span>
      <span role="cell" class="col-compactions number">
        {count(session.compactions)}
      </span>
      <span role="cell" class="col-messages number">
        {count(session.messages)}
      </span>
      <span role="cell" class="col-activity">
        <Time at={session.lastActivityAt} />
      </span>
    </div>
  );
