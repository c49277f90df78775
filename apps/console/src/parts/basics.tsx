import type { BudgetState } from '@app/client';
import { PalimpsestError } from '@app/client';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { base } from '../api.js';
import { recording } from '../offline.js';
import { hrefOf } from '../router.js';
import type { Resource } from './resource.js';
import { ago, count, percent, timeText } from './text.js';

/** The head of a page: its name and a sentence about its content. */
export const PageHead = (props: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly actions?: ComponentChildren;
}) => {
  useEffect(() => {
    document.title = `${props.title} · Palimpsest`;
  }, [props.title]);
  return (
    <header class="page-head">
      <div>
        <h1>{props.title}</h1>
        <p class="lead">{props.children}</p>
      </div>
      {props.actions && <div class="actions">{props.actions}</div>}
    </header>
  );
};

/** A time as it was long ago, with the exact one on hover. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={timeText(at)}>
    {ago(at)}
  </time>
);

const STATES: Readonly<Record<BudgetState, string>> = {
  normal: '',
  warning: '▲',
  critical: '▲▲',
  blocking: '■',
};

export const State = ({ state }: { readonly state: BudgetState }) => (
  <span class={`state state-${state}`}>
    {STATES[state] !== '' && <span aria-hidden="true">{STATES[state]} </span>}
    {state}
  </span>
);

/** Occupancy of a window in billed tokens; says so unless the head of its column does. */
export const OccupancyBar = (props: {
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
  readonly isCell?: boolean;
}) => {
  const { occupancy, window, state, isCell } = props;
  const share = window === 0 ? 0 : Math.min(1, occupancy / window);
  return (
    <span
      class="occupancy"
      title={`${count(occupancy)} billed tokens of ${window === 0 ? 'an unlimited window' : count(window)}`}
    >
      <svg class={`bar bar-${state}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect class="bar-track" width="100" height="6" />
        <rect class="bar-fill" width={share * 100} height="6" />
      </svg>
      <span class="number">
        {count(occupancy)}
        {!isCell && ' billed tokens'}
        {window > 0 && (
          <span class="muted">
            {isCell ? ' ' : ', '}
            {percent(occupancy / window)}
            {!isCell && ` of ${count(window)}`}
          </span>
        )}
      </span>
    </span>
  );
};

/** An error of the API: cause, remedy, and a link to the page of its code. */
export const Refusal = ({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) => {
  const isKnown = error instanceof PalimpsestError;
  const code = isKnown ? error.code : 'unexpected';
  const says = isKnown ? error.detail : 'This page failed: reload it, and report the problem if it stays.';
  return (
    <div class="notice notice-error" role="alert">
      <p>
        <strong>{titleOf(code)}</strong> {sentenceOf(says)}
      </p>
      {isKnown && error.faults.length > 0 && (
        <ul>
          {error.faults.map(({ at, problem }) => (
            <li key={at}>
              <code>{at}</code>: {problem}
            </li>
          ))}
        </ul>
      )}
      <p class="actions">
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
        {isKnown && isExplained(code) && (
          <a href={`${base}/errors/${code}`} target="_blank" rel="noreferrer">
            About <code>{code}</code>
          </a>
        )}
      </p>
    </div>
  );
};

/** Details of errors are the rest of a sentence. */
const sentenceOf = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');

/** A file from disk has no pages of errors beside it. */
const isExplained = (code: string): boolean =>
  !recording && code !== 'service-unreachable' && code !== 'unexpected-answer';
const TITLES: Readonly<Record<string, string>> = {
  forbidden: 'Your key may not see this.',
  'content-forbidden': 'Text is hidden from your key.',
  'session-not-found': 'There is no such session.',
  'service-unreachable': 'The service does not answer.',
  'rate-limited': 'Too many requests.',
  'not-in-file': 'This file does not hold that.',
};
const titleOf = (code: string): string => TITLES[code] ?? 'That did not work.';

/** Shows a resource: a line while it loads, its refusal, or its value. */
export const Loaded = <Value,>(props: {
  readonly of: Resource<Value>;
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}) => {
  const { value, error, isLoading, reload } = props.of;
  if (error !== undefined) return <Refusal error={error} retry={reload} />;
  if (value === undefined) return <Loading what={props.what} />;
  return (
    <div class={isLoading ? 'is-loading' : ''} aria-busy={isLoading}>
      {props.children(value)}
    </div>
  );
};

export const Loading = ({ what }: { readonly what: string }) => (
  <p class="loading" role="status">
    Loading {what} …
  </p>
);

/** An empty list, with a hint at how it gets items. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    <p>
      <strong>{title}</strong>
    </p>
    {children}
  </div>
);

/** Text that the reader's key may not see. */
export const Withheld = ({ what = 'Text' }: { readonly what?: string }) => (
  <p class="withheld">
    <span aria-hidden="true">▒▒▒▒ </span>
    {recording ? (
      `${what} is not in this file, which was exported without content.`
    ) : (
      <>
        {what} is hidden: your key lacks the permission <code>content:read</code>. An admin can issue one that
        has it.
      </>
    )}
  </p>
);

export const SessionLink = ({ session }: { readonly session: string }) => (
  <a href={hrefOf(['sessions', session])}>{session}</a>
);
