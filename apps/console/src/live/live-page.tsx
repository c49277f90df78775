import type { EventType, StreamedEvent } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.js';
import { Empty, PageHead, Refusal, SessionLink } from '../parts/basics.js';
import { count, counted, spaced, timeText } from '../parts/text.js';
import { hrefOf, place, setQuery } from '../router.js';

const KEPT = 500;
/** Milliseconds between two renderings of new events. */
const DRAW_EVERY_MS = 200;

const GROUPS = {
  all: undefined,
  compactions: [
    'CompactionRequested',
    'CompactionStarted',
    'CompactionCompleted',
    'CompactionFailed',
    'CompactionSkipped',
    'CompactionCancelled',
    'CompactionReverted',
    'CompactionAttemptFailed',
    'CompactionCircuitOpened',
    'SessionReset',
  ],
  requests: ['RequestComposed', 'RequestRefused', 'UsageReported', 'LadderEntered', 'LadderExited'],
  troubles: [
    'CompactionFailed',
    'CompactionAttemptFailed',
    'CompactionCircuitOpened',
    'RequestRefused',
    'OverflowReported',
    'ContextOverflowed',
    'ProjectionSkipped',
  ],
} as const satisfies Record<string, readonly EventType[] | undefined>;
type Group = keyof typeof GROUPS;
const isGroup = (text: string): text is Group => Object.hasOwn(GROUPS, text);

/** Events of all sessions as they are recorded. */
export const LivePage = () => {
  const given = place.value.query.get('show') ?? 'all';
  const group = isGroup(given) ? given : 'all';
  const { events, seen, error, isConnected, reconnect } = useStream(group);
  return (
    <>
      <PageHead title="Live">
        Events of all sessions as they are recorded: the newest {count(KEPT)} since you opened this page.
      </PageHead>
      <fieldset class="choices">
        <legend class="muted">Show</legend>
        {Object.keys(GROUPS).map((name) => (
          <label class="check" key={name}>
            <input
              type="radio"
              name="group"
              checked={name === group}
              onChange={() => setQuery({ show: name }, { replace: true })}
            />
            <span>{name}</span>
          </label>
        ))}
        <span role="status" class="muted">
          {isConnected ? '● connected' : '○ connecting'}, {counted(seen, 'event')}
        </span>
      </fieldset>
      {error !== undefined && <Refusal error={error} retry={reconnect} />}
      {events.length === 0 && error === undefined ? (
        <Empty title="No event yet.">
          <p>Events appear here as soon as an agent appends a message, composes a request or compacts.</p>
        </Empty>
      ) : (
        <ol class="live">
          {events.map((event) => (
            <Line key={event.position} event={event} />
          ))}
        </ol>
      )}
    </>
  );
};

const useStream = (group: Group) => {
  const [state, setState] = useState<{ readonly events: readonly StreamedEvent[]; readonly seen: number }>({
    events: [],
    seen: 0,
  });
  const [error, setError] = useState<unknown>();
  const [isConnected, setConnected] = useState(false);
  const [round, setRound] = useState(0);
  const arrived = useRef<StreamedEvent[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    setState({ events: [], seen: 0 });
    const types = GROUPS[group];
    const read = async (): Promise<void> => {
      const filter = { content: 'none', ...(types && { type: types }) } as const;
      setError(undefined);
      const options = { signal: stop.signal, onConnection: setConnected };
      for await (const event of api().stream(filter, options)) arrived.current.unshift(event);
    };
    read().catch((reason: unknown) => {
      if (!stop.signal.aborted) setError(reason);
    });
    const timer = setInterval(() => {
      const news = arrived.current.splice(0);
      if (news.length > 0)
        setState(({ events, seen }) => ({
          events: [...news, ...events].slice(0, KEPT),
          seen: seen + news.length,
        }));
    }, DRAW_EVERY_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [group, round]);
  return { ...state, error, isConnected, reconnect: () => setRound((before) => before + 1) };
};

const TROUBLES: ReadonlySet<string> = new Set(GROUPS.troubles);

const Line = ({ event }: { readonly event: StreamedEvent }) => {
  const { session, type, revision, recordedAt, data } = event;
  const { compactionId, reason, remedies } = data;
  return (
    <li class={TROUBLES.has(type) ? 'is-trouble' : ''}>
      <time class="muted" dateTime={recordedAt}>
        {timeText(recordedAt)}
      </time>{' '}
      <SessionLink session={session} />{' '}
      <a href={hrefOf(['sessions', session, 'log'], { at: revision })}>{count(revision)}</a>{' '}
      <strong>
        {TROUBLES.has(type) && '! '}
        {spaced(type)}
      </strong>{' '}
      {typeof compactionId === 'string' && (
        <a href={hrefOf(['sessions', session, 'compactions', compactionId])}>{compactionId}</a>
      )}{' '}
      {typeof reason === 'string' && <span>{reason}</span>}
      {Array.isArray(remedies) && remedies.length > 0 && (
        <span class="muted"> Remedies: {remedies.map((one) => String(Object(one).remedy)).join(', ')}</span>
      )}
    </li>
  );
};
