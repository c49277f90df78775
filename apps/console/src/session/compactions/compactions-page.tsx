import type { CompactionSummary } from '@app/client';
import { api } from '../../api.js';
import { Empty, Loaded } from '../../parts/basics.js';
import { useResource } from '../../parts/resource.js';
import { count, fidelity, timeText } from '../../parts/text.js';
import { hrefOf, place } from '../../router.js';
import type { ViewProps } from '../view-props.js';
import { CompactionPage } from './compaction-page.js';

/** The compactions of a session, or one of them. */
export const CompactionsPage = (props: ViewProps) => {
  const compaction = place.value.path[3];
  return compaction === undefined ? (
    <CompactionList {...props} />
  ) : (
    <CompactionPage {...props} compaction={compaction} />
  );
};

const CompactionList = ({ session, round }: ViewProps) => {
  const page = useResource(
    (signal) => api().compactions.page(session, { limit: 500, signal }),
    [session],
    round,
  );
  return (
    <section aria-label="Compactions">
      <p class="lead">
        Every compaction of the session with its outcome, newest first. Sizes are billed tokens of the next
        request.
      </p>
      <Loaded of={page} what="compactions">
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty title="Nothing has been compacted yet.">
              <p>
                The session’s profile compacts when its occupancy reaches the trigger. What-if shows what a
                compaction would do now.
              </p>
              <a href={hrefOf(['sessions', session, 'what-if'])}>What if</a>
            </Empty>
          ) : (
            <>
              <Table session={session} items={items} />
              {next !== null && <p class="muted">The newest 500; the audit lists all.</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
};

const Table = ({
  session,
  items,
}: {
  readonly session: string;
  readonly items: readonly CompactionSummary[];
}) => (
  <div class="scroll" tabIndex={0} role="group" aria-label="Compactions">
    <table>
      <thead>
        <tr>
          <th scope="col">Compaction</th>
          <th scope="col">Trigger</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="number">
            Turn
          </th>
          <th scope="col" class="number">
            Billed before
          </th>
          <th scope="col" class="number">
            after
          </th>
          <th scope="col" class="number">
            Messages
          </th>
          <th scope="col" class="number">
            Fidelity
          </th>
          <th scope="col">Summarizer</th>
          <th scope="col">Requested</th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={one.compactionId}>
            <td>
              <a href={hrefOf(['sessions', session, 'compactions', one.compactionId])}>{one.compactionId}</a>
            </td>
            <td>{one.trigger}</td>
            <td>
              {one.outcome ?? 'open'}
              {one.reason !== null && <span class="muted"> {one.reason}</span>}
            </td>
            <td class="number">{count(one.turn)}</td>
            <td class="number">{one.billedBefore === null ? '' : count(one.billedBefore)}</td>
            <td class="number">{one.billedAfter === null ? '' : count(one.billedAfter)}</td>
            <td class="number">{one.coveredMessages === null ? '' : count(one.coveredMessages)}</td>
            <td class="number">{one.fidelity === null ? '' : fidelity(one.fidelity)}</td>
            <td>{one.summarizer ?? ''}</td>
            <td>{timeText(one.requestedAt)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
