import type { SessionFilter, SessionSort, SessionSummary } from '@app/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, mayWrite } from '../api.js';
import { Empty, Loading, OccupancyBar, PageHead, Refusal, State, Time } from '../parts/basics.js';
import { ChoiceField, TextField } from '../parts/fields.js';
import { count, counted } from '../parts/text.js';
import { useRowsInView } from '../parts/virtual-list.js';
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

/** Texts that filter, by their parameter. */
const FIELDS = {
  title: 'Words in the title',
  agent: 'Agent',
  project: 'Project',
  user: 'User',
  customer: 'Customer',
  label: 'Label',
  parent: 'Parent session',
} as const;

const filterIn = (query: URLSearchParams): SessionFilter => {
  const [state, sort] = [query.get('state') ?? '', query.get('sort') ?? ''];
  const texts = Object.keys(FIELDS).flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : []));
  return { ...Object.fromEntries(texts), ...(isState(state) && { state }), ...(isSort(sort) && { sort }) };
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
const isState = (text: string): text is (typeof STATES)[number] => STATES.some((state) => state === text);
const isSort = (text: string): text is SessionSort => Object.hasOwn(SORTS, text);

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
  const set = (name: string) => (value: string) => setQuery({ [name]: value }, { replace: true });
  return (
    <search>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        {Object.entries(FIELDS).map(([name, title]) => (
          <TextField
            key={name}
            type="search"
            title={title}
            value={query.get(name) ?? ''}
            isCommitted
            onValue={set(name)}
          />
        ))}
        <ChoiceField
          title="State"
          value={query.get('state') ?? ''}
          none="any"
          options={STATES}
          onValue={set('state')}
        />
        <ChoiceField
          title="Order"
          value={query.get('sort') ?? '-lastActivity'}
          options={SORTS}
          onValue={set('sort')}
        />
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
      <Rows items={items} onEnd={more} />
      <p class="muted foot">
        {hasMore ? `${count(items.length)} and more sessions` : counted(items.length, 'session')}
      </p>
    </div>
  );
};

type Column = {
  readonly name: string;
  readonly title: string;
  readonly cell: (session: SessionSummary) => ComponentChildren;
};

const COLUMNS: readonly Column[] = [
  {
    name: 'session',
    title: 'Session',
    cell: ({ session, title, labels }) => (
      <>
        <a href={hrefOf(['sessions', session])}>{title ?? session}</a>
        <span class="muted sub">
          {title !== null && session}
          {Object.entries(labels).map(([name, value]) => (
            <span class="label" key={name}>
              {value === '' ? name : `${name}=${value}`}
            </span>
          ))}
        </span>
      </>
    ),
  },
  {
    name: 'agent',
    title: 'Agent',
    cell: ({ agent, project }) => (
      <>
        {agent ?? <span class="muted">–</span>}
        {project !== null && <span class="muted sub">{project}</span>}
      </>
    ),
  },
  { name: 'model', title: 'Model', cell: ({ model }) => model },
  { name: 'state', title: 'State', cell: ({ state }) => <State state={state} /> },
  {
    name: 'occupancy',
    title: 'Occupancy, billed tokens',
    cell: (session) => <OccupancyBar {...session} isCell />,
  },
  { name: 'compactions', title: 'Compactions', cell: ({ compactions }) => count(compactions) },
  { name: 'messages', title: 'Messages', cell: ({ messages }) => count(messages) },
  { name: 'activity', title: 'Activity', cell: ({ lastActivityAt }) => <Time at={lastActivityAt} /> },
];

type RowsProps = { readonly items: readonly SessionSummary[]; readonly onEnd: () => void };

/** A table of which only the rows in view are elements, with the height of the others above and below. */
const Rows = ({ items, onEnd }: RowsProps) => {
  const { box, onScroll, first, last } = useRowsInView({
    rows: items.length,
    rowHeight: ROW_PX,
    onRange: (_, end) => end > items.length - 30 && onEnd(),
  });
  return (
    <section class="virtual" ref={box} onScroll={onScroll} aria-label="Sessions">
      <div style={{ padding: `${first * ROW_PX}px 0 ${(items.length - last) * ROW_PX}px` }}>
        <table aria-rowcount={items.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {COLUMNS.map(({ name, title }) => (
                <th scope="col" key={name} class={`col-${name}`}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.slice(first, last).map((session, at) => (
              <tr key={session.session} aria-rowindex={first + at + 2}>
                {COLUMNS.map(({ name, cell }) => (
                  <td key={name} class={`col-${name}`}>
                    {cell(session)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
