import type { CompactionSummary } from '@app/client';
import { api } from '../../api.js';
import { Empty, Loaded } from '../../parts/basics.js';
import { useResource } from '../../parts/resource.js';
import { type Column, Table } from '../../parts/table.js';
import { count, countIfKnown, fidelity, timeText } from '../../parts/text.js';
import { hrefOf, place } from '../../router.js';
import { kindOfCompaction } from '../sawtooth/mark-kinds.js';
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
        Every compaction of the session (▼ of this service, ▽ of the agent, ✕ failed) with its outcome, newest
        first. Sizes are billed tokens of the next request; fidelity is the share of facts that it still
        carries.
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
              <Table
                label="Compactions, newest first"
                rows={items}
                keyOf={({ compactionId }) => compactionId}
                columns={columnsOf(session)}
              />
              {next !== null && <p class="muted">The newest 500; the audit lists all.</p>}
            </>
          )
        }
      </Loaded>
    </section>
  );
};

const columnsOf = (session: string): readonly Column<CompactionSummary>[] => [
  {
    title: 'Compaction',
    cell: (one) => {
      const { sign, tone } = kindOfCompaction(one);
      return (
        <>
          <span class={`sign mark-${tone}`} aria-hidden="true">
            {sign}
          </span>{' '}
          <a href={hrefOf(['sessions', session, 'compactions', one.compactionId])}>{one.compactionId}</a>
        </>
      );
    },
  },
  { title: 'Trigger', cell: ({ trigger }) => trigger },
  {
    title: 'Outcome',
    cell: ({ outcome, reason }) => (
      <>
        {outcome ?? 'open'}
        {reason !== null && <span class="muted"> {reason}</span>}
      </>
    ),
  },
  { title: 'Turn', isNumber: true, cell: ({ turn }) => count(turn) },
  { title: 'Billed tokens before', isNumber: true, cell: ({ billedBefore }) => countIfKnown(billedBefore) },
  { title: 'after', isNumber: true, cell: ({ billedAfter }) => countIfKnown(billedAfter) },
  { title: 'Messages covered', isNumber: true, cell: ({ coveredMessages }) => countIfKnown(coveredMessages) },
  {
    title: 'Fidelity, 0 to 1',
    isNumber: true,
    cell: (one) => (one.fidelity === null ? '' : fidelity(one.fidelity)),
  },
  { title: 'Summarizer', cell: ({ summarizer }) => summarizer },
  { title: 'Requested', cell: ({ requestedAt }) => timeText(requestedAt) },
];
