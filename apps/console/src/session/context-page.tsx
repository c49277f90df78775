import type { Block, ContextView, JsonObject } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, mayReadContent } from '../api.js';
import { Blocks, Raw } from '../content/blocks.js';
import { Markdown } from '../content/markdown.js';
import { Loaded, OccupancyBar, State, Withheld } from '../parts/basics.js';
import { Each } from '../parts/each.js';
import { useKeys } from '../parts/keys.js';
import { useResource } from '../parts/resource.js';
import { count, counted, spaced, timeText } from '../parts/text.js';
import { hrefOf, place, setQuery } from '../router.js';
import type { ViewProps } from './view-props.js';

/** Milliseconds without a step after which the context is read. */
const PAUSE_MS = 150;

/** The context of the model, now or as of a revision or request ID. */
export const ContextPage = ({ session, view }: ViewProps) => {
  const { query } = place.value;
  const given = query.get('asOf') ?? String(view.revision);
  const isRequest = !/^\d+$/.test(given);
  const context = useResource(
    (signal) => api().sessions.context(session, { asOf: isRequest ? given : Number(given), signal }),
    [session, given],
  );
  const [isRaw, setRaw] = useState(false);
  useKeys({ r: { what: 'show the raw JSON', run: () => setRaw((before) => !before) } });
  const revision = isRequest ? (context.value?.revision ?? view.revision) : Number(given);
  return (
    <section aria-label="Context as of a revision">
      <p class="lead">
        The request as the model gets it as of revision {count(revision)}, rebuilt from the log.
      </p>
      <Stepper session={session} revision={revision} newest={view.revision} />
      <div class="actions">
        <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw JSON <kbd>r</kbd>
        </button>
      </div>
      <Loaded of={context} what="the context">
        {(value) => <Context value={value} isRaw={isRaw} />}
      </Loaded>
    </section>
  );
};

/** A slider and arrow keys from event to event, and the event there. */
const Stepper = (props: { readonly session: string; readonly revision: number; readonly newest: number }) => {
  const { session, revision, newest } = props;
  const [shown, setShown] = useState(revision);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setShown(revision), [revision]);
  const step = (to: number): void => {
    const next = Math.min(newest, Math.max(0, to));
    setShown(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setQuery({ asOf: next }, { replace: true }), PAUSE_MS);
  };
  useKeys({
    ArrowLeft: { what: 'one event back', run: () => step(shown - 1) },
    ArrowRight: { what: 'one event on', run: () => step(shown + 1) },
  });
  return (
    <>
      <label class="cursor">
        <span>
          Revision <output class="number">{count(shown)}</output> of {count(newest)}
        </span>
        <input
          type="range"
          min={0}
          max={newest}
          value={shown}
          onInput={({ currentTarget }) => step(Number(currentTarget.value))}
        />
      </label>
      <EventLine session={session} revision={revision} />
    </>
  );
};

const EventLine = ({ session, revision }: { readonly session: string; readonly revision: number }) => {
  const events = useResource(
    (signal) => api().sessions.eventWindow(session, { from: revision, limit: 1, signal }),
    [session, revision],
  );
  const event = events.value?.[0];
  if (!event) return <p class="muted event-line">…</p>;
  const { requestId } = event.data;
  return (
    <p class="event-line">
      <span class="muted">Event:</span> {spaced(event.type)}, {timeText(event.recordedAt)}, by{' '}
      <code>{event.actor}</code>.{' '}
      {event.type === 'RequestComposed' && typeof requestId === 'string' && (
        <a href={hrefOf(['sessions', session, 'context'], { asOf: requestId })}>
          Check this request byte by byte
        </a>
      )}
    </p>
  );
};

const Context = ({ value, isRaw }: { readonly value: ContextView; readonly isRaw: boolean }) => (
  <>
    <p>
      <OccupancyBar occupancy={value.tokens} window={value.window} state={value.state} />,{' '}
      <State state={value.state} />. <Digest value={value} />
    </p>
    {value.violations.length > 0 && (
      <p class="notice notice-error">
        This request breaks {counted(value.violations.length, 'rule')} of its provider:{' '}
        {value.violations.map(({ rule }) => rule).join(', ')}.
      </p>
    )}
    {mayReadContent.value ? <Request value={value} isRaw={isRaw} /> : <Withheld what="The request" />}
  </>
);

const Digest = ({ value: { digestMatches, requestId } }: { readonly value: ContextView }) => {
  if (digestMatches === null)
    return <span class="muted">No request was sent at this very state: there is no digest to compare.</span>;
  return digestMatches ? (
    <strong class="good">
      ✓ The rebuilt request {requestId} has the SHA-256 that was recorded when it was sent.
    </strong>
  ) : (
    <strong class="bad">
      ✕ The rebuilt request {requestId} differs from the digest that was recorded when it was sent.
    </strong>
  );
};

type Message = { readonly role: string; readonly content: string | readonly Block[] };

const Request = ({ value, isRaw }: { readonly value: ContextView; readonly isRaw: boolean }) => {
  if (isRaw || value.format !== 'anthropic') return <Raw value={value.request} />;
  const messages = messagesIn(value.request as JsonObject);
  return (
    <>
      <details class="message role-system">
        <summary>
          System prompt, {count(value.systemPrompt.length)} characters, and{' '}
          {counted(value.tools.length, 'tool')}
        </summary>
        <Markdown text={value.systemPrompt} />
        <Each of={value.tools}>
          {(tool) => (
            <details class="block">
              <summary>{String(tool.name ?? 'tool')}</summary>
              <Raw value={tool} />
            </details>
          )}
        </Each>
      </details>
      <MessageList messages={messages} />
    </>
  );
};

/** Messages of one rendering, and those at the beginning, behind which others wait. */
const [SHOWN_MAX, HEAD] = [300, 20] as const;

/** The messages of a request; of very many, the first and the newest ones, and the others when they are asked for. */
const MessageList = ({ messages }: { readonly messages: readonly Message[] }) => {
  const [shown, setShown] = useState<number>(SHOWN_MAX);
  const omitted = Math.max(0, messages.length - shown);
  const all = [...messages.entries()];
  return (
    <ol class="messages" aria-label={counted(messages.length, 'message')}>
      {(omitted > 0 ? all.slice(0, HEAD) : all).map(itemOf)}
      {omitted > 0 && (
        <li class="message">
          <button type="button" onClick={() => setShown(shown + SHOWN_MAX)}>
            Show {count(Math.min(SHOWN_MAX, omitted))} of {counted(omitted, 'message')} in between
          </button>
        </li>
      )}
      {omitted > 0 && all.slice(HEAD + omitted).map(itemOf)}
    </ol>
  );
};

const itemOf = ([at, message]: readonly [number, Message]) => (
  <li key={at} class={`message role-${message.role}`}>
    <p class="message-head">
      <span class="role">{message.role}</span> <span class="muted number">{count(at + 1)}</span>
      {isSummary(message) && <span class="label">summary of a compaction</span>}
    </p>
    <Blocks content={message.content} />
  </li>
);

const messagesIn = (request: JsonObject): readonly Message[] =>
  Array.isArray(request.messages) ? (request.messages as readonly Message[]) : [];

const isSummary = ({ content }: Message): boolean => {
  const first = typeof content === 'string' ? content : content[0];
  const text = typeof first === 'string' ? first : first && 'text' in first ? first.text : '';
  return typeof text === 'string' && text.startsWith('<conversation-record');
};
