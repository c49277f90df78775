import type { HeldSession } from '@app/client';
import { api } from '../api.js';
import { Empty, Loaded, SessionLink } from '../parts/basics.js';
import { TextField } from '../parts/fields.js';
import { useResource } from '../parts/resource.js';
import { type Column, Table } from '../parts/table.js';
import { timeText } from '../parts/text.js';
import { place, setQuery } from '../router.js';

/** Sessions of one answer. */
const LIMIT = 500;

/** The sessions that are held, of all matters or of one. */
export const HoldsPage = () => {
  const matter = place.value.query.get('matter') || undefined;
  const held = useResource(
    (signal) => api().retention.heldPage({ limit: LIMIT, ...(matter !== undefined && { matter }), signal }),
    [matter],
  );
  return (
    <>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <TextField
          type="search"
          title="Matter"
          value={matter ?? ''}
          isCommitted
          onValue={(value) => setQuery({ matter: value }, { replace: true })}
        />
      </form>
      <Loaded of={held} what="the held sessions">
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty title={matter === undefined ? 'No session is held.' : 'No session is held for it.'}>
              <p>
                <code>palimpsest holds place SESSION MATTER</code> holds one: nothing of it is erased then.
              </p>
            </Empty>
          ) : (
            <>
              <Table label="Held sessions" rows={items} keyOf={(one) => one.session} columns={COLUMNS} />
              {next !== null && <p class="muted">The {LIMIT} with the latest activity: name a matter.</p>}
            </>
          )
        }
      </Loaded>
    </>
  );
};

const COLUMNS: readonly Column<HeldSession>[] = [
  { title: 'Session', isHead: true, cell: ({ session }) => <SessionLink session={session} /> },
  {
    title: 'Held for',
    cell: ({ holds }) =>
      holds.map(({ matter, reason, by, at }) => (
        <div key={matter}>
          <strong>{matter}</strong>, {timeText(at)}, <code>{by}</code>: {reason}
        </div>
      )),
  },
  { title: 'Kept until', cell: ({ period }) => period && `${timeText(period.until)} (${period.mode})` },
];
