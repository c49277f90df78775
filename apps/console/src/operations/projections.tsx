import type { ProjectionStatus, StoppedStream } from '@app/client';
import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { Loaded, Time } from '../parts/basics.js';
import { Confirm } from '../parts/confirm.js';
import { useResource } from '../parts/resource.js';
import { type Column, Table } from '../parts/table.js';
import { count } from '../parts/text.js';

/** Read models with their place in the log, and streams whose rows are stopped. */
export const Projections = () => {
  const list = useResource((signal) => api().projections.list({ signal }), []);
  return (
    <section>
      <h2>Read models</h2>
      <Loaded of={list} what="read models">
        {(projections) => (
          <>
            <Table
              label="Read models"
              rows={projections}
              keyOf={({ projection }) => projection}
              columns={COLUMNS}
            />
            {projections.some(({ stoppedStreams }) => stoppedStreams > 0) && <Stopped reload={list.reload} />}
          </>
        )}
      </Loaded>
    </section>
  );
};

const COLUMNS: readonly Column<ProjectionStatus>[] = [
  { title: 'Read model', cell: ({ projection }) => projection },
  { title: 'Events', isNumber: true, cell: ({ events }) => count(events) },
  { title: 'Position in the log', isNumber: true, cell: ({ position }) => position ?? '–' },
  { title: 'Stopped streams', isNumber: true, cell: ({ stoppedStreams }) => count(stoppedStreams) },
  { title: 'Updated', cell: ({ updatedAt }) => (updatedAt === null ? '–' : <Time at={updatedAt} />) },
];

const Stopped = ({ reload }: { readonly reload: () => void }) => {
  const stopped = useResource((signal) => api().projections.stopped({ limit: 100 }, { signal }), []);
  const [asked, setAsked] = useState<readonly [kind: 'retry' | 'skip', stream: StoppedStream]>();
  return (
    <>
      <h3>Stopped streams</h3>
      <p class="muted">
        A read model could not apply an event: it shows the stream as of before. Retry after the cause is
        fixed; a skip is recorded.
      </p>
      <Loaded of={stopped} what="stopped streams">
        {({ items }) => (
          <ul>
            {items.map((one) => (
              <li key={`${one.projection} ${one.stream}`}>
                {one.projection}: <code>{one.stream}</code> before {one.type} at revision{' '}
                {count(one.revision)}, {one.error} <Time at={one.at} />{' '}
                <button type="button" onClick={() => setAsked(['retry', one])}>
                  Retry
                </button>{' '}
                <button type="button" onClick={() => setAsked(['skip', one])}>
                  Skip the event
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {asked && (
        <Confirm
          title={asked[0] === 'retry' ? 'Retry the stream' : 'Skip the event in this read model'}
          action={asked[0] === 'retry' ? 'Retry' : 'Skip'}
          withReason={asked[0] === 'skip'}
          run={(reason) =>
            asked[0] === 'retry'
              ? api().projections.retry(asked[1].projection, { position: asked[1].position })
              : api().projections.skip(asked[1].projection, { position: asked[1].position, reason })
          }
          onClose={(isDone) => {
            setAsked(undefined);
            if (isDone) reload();
          }}
        >
          <p>
            {asked[1].projection}, stream {asked[1].stream}.
          </p>
        </Confirm>
      )}
    </>
  );
};
