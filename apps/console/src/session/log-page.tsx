import {
  type Block,
  type Erased,
  isText,
  isToolResult,
  isToolUse,
  type LoggedEvent,
  resultText,
  type TextMatch,
} from '@app/client';
import { useRef, useState } from 'preact/hooks';
import { api, mayReadContent } from '../api.js';
import { Blocks, Raw } from '../content/blocks.js';
import { recording } from '../offline.js';
import { Loaded, Refusal, Withheld } from '../parts/basics.js';
import { ErasedNotice, ReceiptLink } from '../parts/erased.js';
import { TextField } from '../parts/fields.js';
import { useResource } from '../parts/resource.js';
import { count, counted, spaced, timeText } from '../parts/text.js';
import { VirtualList } from '../parts/virtual-list.js';
import { hrefOf, place, setQuery } from '../router.js';
import type { ViewProps } from './view-props.js';

const ROW_PX = 28;
/** Events of one read, and reads that are kept. */
const WINDOW = 100;
const WINDOWS_KEPT = 40;

/** Every event of a session, loaded as it is scrolled to, and a search for a text in its messages. */
export const LogPage = ({ session, view }: ViewProps) => {
  const { query } = place.value;
  const at = Number(query.get('at') ?? '0');
  const text = query.get('text') ?? '';
  return (
    <section aria-label="Log">
      <p class="lead">
        Every event of the session in the order of the log, {count(view.revision + 1)} in all. No event is
        ever removed; erased content reads as [erased].
      </p>
      <Search session={session} text={text} />
      <EventList session={session} newest={view.revision} selected={at} />
    </section>
  );
};

const Search = ({ session, text }: { readonly session: string; readonly text: string }) => {
  const [draft, setDraft] = useState(text);
  if (recording) return null; // A file has no index.
  if (!mayReadContent.value) return <Withheld what="The text of messages" />;
  return (
    <>
      <search>
        <form
          class="inline"
          onSubmit={(event) => {
            event.preventDefault();
            setQuery({ text: draft });
          }}
        >
          <TextField
            class="wide"
            type="search"
            title="Search the original messages for a text"
            value={draft}
            onValue={setDraft}
            maxLength={500}
          />
          <button type="submit">Search</button>
        </form>
      </search>
      {text !== '' && <Matches session={session} text={text} />}
    </>
  );
};

const Matches = ({ session, text }: { readonly session: string; readonly text: string }) => {
  const found = useResource(
    (signal) => api().sessions.search(session, text, { limit: 20, signal }),
    [session, text],
  );
  return (
    <Loaded of={found} what="matches">
      {({ matches, searched, before }) => (
        <>
          <p class="muted" role="status">
            {matches.length === 0 ? 'No match' : counted(matches.length, 'match', 'matches')} in{' '}
            {counted(searched, 'message')}, newest first{before !== null && '; the search stopped there'}.
          </p>
          <ul class="matches">
            {matches.map((match) => (
              <Match key={`${match.message} ${match.block}`} session={session} match={match} text={text} />
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
};

type MatchProps = { readonly session: string; readonly match: TextMatch; readonly text: string };
const Match = ({ session, match, text }: MatchProps) => {
  const at = match.excerpt.toLowerCase().indexOf(text.toLowerCase());
  const [before, hit, after] =
    at < 0
      ? [match.excerpt, '', '']
      : [
          match.excerpt.slice(0, at),
          match.excerpt.slice(at, at + text.length),
          match.excerpt.slice(at + text.length),
        ];
  return (
    <li>
      <a href={hrefOf(['sessions', session, 'messages', match.message])}>{match.message}</a>{' '}
      <span class="muted">
        {match.role}, revision {count(match.revision)}
      </span>
      <p class="excerpt">
        …{before}
        <mark>{hit}</mark>
        {after}…
      </p>
    </li>
  );
};

type ListProps = { readonly session: string; readonly newest: number; readonly selected: number };

const EventList = ({ session, newest, selected }: ListProps) => {
  const { windows, load, error, retry } = useWindows(session, newest);
  const eventAt = (revision: number): LoggedEvent | undefined =>
    windows.get(Math.floor(revision / WINDOW))?.[revision % WINDOW];
  const shown = eventAt(selected);
  return (
    <div class="log">
      {error !== undefined && <Refusal error={error} retry={retry} />}
      <VirtualList
        rows={newest + 1}
        rowHeight={ROW_PX}
        label="Events"
        show={selected}
        onChoose={(at) => setQuery({ at }, { replace: true })}
        onRange={load}
        class="log-list"
        render={(revision) => (
          <Row
            key={revision}
            revision={revision}
            event={eventAt(revision)}
            isSelected={revision === selected}
          />
        )}
      />
      <div class="log-detail" aria-live="polite">
        {shown ? <EventDetail session={session} event={shown} /> : <p class="muted">Choose an event.</p>}
      </div>
    </div>
  );
};

/** The windows of events that were scrolled to, the newest ones kept. */
const useWindows = (session: string, newest: number) => {
  const [windows, setWindows] = useState<ReadonlyMap<number, readonly LoggedEvent[]>>(new Map());
  const [error, setError] = useState<unknown>();
  const asked = useRef(new Set<number>());
  const refused = useRef<(readonly [first: number, last: number])[]>([]);
  const known = useRef(newest);
  if (known.current !== newest) {
    // Windows stay as they are until they are loaded again: the newest one has grown, and an erasure changes others.
    known.current = newest;
    asked.current = new Set();
  }
  const load = (first: number, last: number): void => {
    for (let at = Math.floor(first / WINDOW); at <= Math.floor(Math.max(first, last - 1) / WINDOW); at += 1) {
      if (asked.current.has(at) || at * WINDOW > newest) continue;
      asked.current.add(at);
      api()
        .sessions.eventWindow(session, { from: at * WINDOW, limit: WINDOW })
        .then((events) =>
          setWindows((before) => {
            const kept = new Map([...before, [at, events] as const].slice(-WINDOWS_KEPT));
            for (const known of asked.current)
              if (!kept.has(known) && known !== at) asked.current.delete(known);
            return kept;
          }),
        )
        .catch((reason: unknown) => {
          asked.current.delete(at);
          refused.current.push([at * WINDOW, at * WINDOW + 1]);
          setError(reason);
        });
    }
  };
  const retry = (): void => {
    setError(undefined);
    for (const [first, last] of refused.current.splice(0)) load(first, last);
  };
  return { windows, load, error, retry };
};

type RowProps = {
  readonly revision: number;
  readonly event: LoggedEvent | undefined;
  readonly isSelected: boolean;
};
const Row = ({ revision, event, isSelected }: RowProps) => (
  <li class={`log-row ${isSelected ? 'is-selected' : ''}`}>
    <button
      type="button"
      tabIndex={isSelected ? 0 : -1}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => setQuery({ at: revision }, { replace: true })}
    >
      <span class="number muted">{count(revision)}</span>{' '}
      {event ? <Line event={event} /> : <span class="muted">…</span>}
    </button>
  </li>
);

const Line = ({ event }: { readonly event: LoggedEvent }) => (
  <>
    <span class="log-type">{spaced(event.type)}</span> <span class="muted">{briefOf(event)}</span>
  </>
);

type MessageData = Marked & {
  readonly id: string;
  readonly role: string;
  readonly blocks: readonly Block[];
};
type Marked = { readonly erased?: Erased };
const messageIn = ({ data }: LoggedEvent): MessageData | undefined =>
  typeof data.message === 'object' && data.message !== null ? (data.message as MessageData) : undefined;

/** Returns the beginning of a message, or the facts that tell one event from another. */
const briefOf = (event: LoggedEvent): string => {
  const message = messageIn(event);
  if (message) {
    const texts = message.blocks.map((block) => {
      if (isText(block)) return block.text;
      if (isToolUse(block)) return `→ ${block.name}`;
      return isToolResult(block) ? `↳ ${resultText(block)}` : '';
    });
    const text = texts.find((one) => one !== '') ?? message.blocks[0]?.type ?? 'no content';
    return `${message.role}: ${text.slice(0, 160)}`;
  }
  const facts = ['role', 'messageId', 'compactionId', 'trigger', 'requestId', 'reason', 'occupancy', 'turn'];
  return facts
    .flatMap((name) =>
      ['string', 'number'].includes(typeof event.data[name]) ? [`${name} ${String(event.data[name])}`] : [],
    )
    .join(', ');
};

const EventDetail = ({ session, event }: { readonly session: string; readonly event: LoggedEvent }) => {
  const message = messageIn(event);
  const { compactionId, erasure, messageId } = event.data;
  // Without content, events name their message alone.
  const named = message?.id ?? messageId;
  const { erased } = message ?? (event.data as Marked); // As the contract states it.
  return (
    <>
      <h2>
        {spaced(event.type)} <span class="muted number">revision {count(event.revision)}</span>
      </h2>
      <p class="muted">
        {timeText(event.recordedAt)}, by <code>{event.actor}</code>
      </p>
      <p class="actions">
        <a href={hrefOf(['sessions', session, 'context'], { asOf: event.revision })}>Context as of here</a>
        {typeof named === 'string' && (
          <a href={hrefOf(['sessions', session, 'messages', named])}>Life of message {named}</a>
        )}
        {typeof compactionId === 'string' && (
          <a href={hrefOf(['sessions', session, 'compactions', compactionId])}>Explain the compaction</a>
        )}
        {typeof erasure === 'string' && <ReceiptLink erasure={erasure} />}
      </p>
      {erased && <ErasedNotice erased={erased} />}
      {message ? <Blocks content={message.blocks} /> : <Raw value={event.data} />}
      {message && (
        <details>
          <summary>Raw JSON</summary>
          <Raw value={event.data} />
        </details>
      )}
    </>
  );
};
