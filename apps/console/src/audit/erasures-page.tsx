import type { Erasure } from '@app/client';
import type { ComponentChildren } from 'preact';
import { api } from '../api.js';
import { Empty, Loaded, SessionLink } from '../parts/basics.js';
import { useResource } from '../parts/resource.js';
import { type Column, Table } from '../parts/table.js';
import { count, counted, duration, spaced, timeText } from '../parts/text.js';
import { hrefOf, place } from '../router.js';

/** The erasure ledger: every erasure, and the receipt of one. */
export const ErasuresPage = () => {
  const [, , erasure] = place.value.path;
  return erasure === undefined ? <Ledger /> : <Receipt erasure={erasure} />;
};

const Ledger = () => {
  const listed = useResource((signal) => api().erasures.list({ signal }), []);
  return (
    <Loaded of={listed} what="the erasures">
      {({ erasures, people }) => (
        <>
          <p class="muted">
            {people === 2 ? 'A second person approves each erasure.' : 'One person is enough for an erasure.'}
          </p>
          {erasures.length === 0 ? (
            <Empty title="Nothing was erased.">
              <p>
                <code>palimpsest erase --subject NAME</code> destroys the keys of a person’s content.
              </p>
            </Empty>
          ) : (
            <Table label="Erasures" rows={erasures} keyOf={(one) => one.erasure} columns={COLUMNS} />
          )}
        </>
      )}
    </Loaded>
  );
};

const COLUMNS: readonly Column<Erasure>[] = [
  {
    title: 'Erasure',
    isHead: true,
    cell: ({ erasure }) => <a href={hrefOf(['audit', 'erasures', erasure])}>{erasure}</a>,
  },
  { title: 'Of', cell: (one) => <Target of={one} /> },
  { title: 'State', cell: (one) => stateOf(one) },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Requested by', cell: ({ requestedBy }) => <code>{requestedBy}</code> },
  { title: 'Requested', cell: ({ requestedAt }) => timeText(requestedAt) },
  {
    title: 'Sessions',
    isNumber: true,
    cell: ({ receipt }) => (receipt === null ? '' : count(receipt.counts.sessions)),
  },
];

const stateOf = ({ state, deferred }: Erasure): string =>
  deferred === null ? state.replaceAll('-', ' ') : `deferred: ${deferred.because}`;

const Target = ({ of: { target } }: { readonly of: Erasure }): ComponentChildren => {
  if (target.scope === 'tenant') return 'the whole tenant';
  if (target.scope === 'session') return <SessionLink session={target.session} />;
  return (
    <>
      subject <code>{target.subject}</code>
    </>
  );
};

const Receipt = ({ erasure }: { readonly erasure: string }) => {
  const shown = useResource((signal) => api().erasures.show(erasure, { signal }), [erasure]);
  return (
    <Loaded of={shown} what="the erasure">
      {(value) => (
        <>
          <h2>
            <code>{erasure}</code>
          </h2>
          <dl class="facts">
            <Fact name="Of">
              <Target of={value} />
            </Fact>
            <Fact name="State">
              {stateOf(value)}
              {value.deferred?.until && `, until ${timeText(value.deferred.until)}`}
            </Fact>
            <Fact name="Requested">
              {timeText(value.requestedAt)} by <code>{value.requestedBy}</code>: {value.reason}
              {value.approvedBy !== null && `; approved by ${value.approvedBy}`}
            </Fact>
            {value.receipt && <Destroyed receipt={value.receipt} />}
          </dl>
          <p class="actions">
            <a href={hrefOf(['audit', 'erasures'])}>All erasures</a>
            <a href={hrefOf(['audit'], { type: 'ContentErased' })}>Content erased, by session</a>
          </p>
        </>
      )}
    </Loaded>
  );
};

const Destroyed = ({ receipt }: { readonly receipt: NonNullable<Erasure['receipt']> }) => {
  const { keys, tenantKey, counts, durationMs, completedAt } = receipt;
  return (
    <>
      <Fact name="Destroyed">
        {tenantKey === null ? counted(counts.keys, 'key') : 'the key of the tenant'} of{' '}
        {counted(counts.sessions, 'session')} in {duration(durationMs)}, {timeText(completedAt)}.
        <ul>
          {(tenantKey === null ? keys : [tenantKey]).map((key) => (
            <li key={key}>
              <code>{key}</code>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="Removed">
        {Object.entries(counts.places)
          .map(([name, removed]) => `${spaced(name).toLowerCase()}: ${count(removed)}`)
          .join(', ') || 'nothing else'}
      </Fact>
    </>
  );
};

const Fact = (props: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{props.name}</dt>
    <dd>{props.children}</dd>
  </>
);
