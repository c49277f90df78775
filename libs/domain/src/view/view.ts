import { Attached, sumTokens } from '@app/kernel';
import type { AtomicGroup } from '../message/index.js';
import { tokensOf } from '../session/entry.js';
import type { OpenSession } from '../session/state.js';
import { groupedIn, openCalls } from '../turns/cuts.js';
import { freedByPlace } from '../turns/freed-by-place.js';
import { type VisibleResult, visibleResults } from '../turns/visible-results.js';
import { type Muted, mutedMessages } from './muted.js';
import { placeholderTokens } from './recall/recall-tool.js';
import { clearedResults, snippedRuns, tailPlace } from './snip.js';

/**
 * The omissions of composing: a pure function of appended messages, marks and policy. It only grows until the next
 * compaction.
 */
export type View = {
  /** Runs of messages that one line replaces, oldest first, not nested. */
  readonly snipped: readonly AtomicGroup[];
  /** Cleared results, except those of snipped messages. */
  readonly cleared: readonly VisibleResult[];
  /** Messages without their disposable reasoning, except snipped ones. */
  readonly muted: readonly Muted[];
  /** Counted tokens saved; negative if replacements are longer than the originals. */
  readonly freed: number;
};
/** The view of a session of which requests carry everything that no mark takes away. */
export const NOTHING_LEFT_OUT: View = { snipped: [], cleared: [], muted: [], freed: 0 };

/** Views that were worked out; a session never changes. */
const known = new Attached<OpenSession, View>();

export const viewOf = (session: OpenSession): View =>
  known.once(session, () => (session.profile.mode === 'off' ? NOTHING_LEFT_OUT : viewed(session)));

const viewed = (session: OpenSession): View => {
  const muted = mutedMessages(session);
  const { stages, viewAtShare } = session.profile;
  const [snips, clears] = [stages.includes('snip'), stages.includes('micro')];
  const { window } = session.limits;
  if (!(snips || clears) || window === 0 || keptTokens(session) < window * viewAtShare) {
    return muted.length === 0
      ? NOTHING_LEFT_OUT
      : { ...NOTHING_LEFT_OUT, muted, freed: sumTokens(muted.map(freedOf)) };
  }
  const layout = groupedIn(session);
  const reach = { tail: tailPlace(session), waiting: waitingPlace(session) };
  const snipped = snips ? snippedRuns(session, layout, reach) : [];
  const gone = new Set(snipped.flatMap(({ start, end }) => session.entries.slice(start, end)));
  const results = clears ? visibleResults(session, layout.pairing) : [];
  const cleared = clearedResults(session, results, reach).filter(
    ({ caller, answer }) => !gone.has(caller) && !gone.has(answer),
  );
  const spoken = muted.filter(({ entry }) => !gone.has(entry));
  const freedAt = freedByPlace(session);
  const shownAt = (at: number): number => (session.entries[at]?.tokens ?? 0) - (freedAt.get(at) ?? 0);
  const line = placeholderTokens(session);
  let freed: number = sumTokens(spoken.map(freedOf));
  for (const { tokens } of cleared) freed = freed + tokens - line;
  for (const [index, { start, end }] of snipped.entries()) {
    for (let at = start; at < end; at += 1) freed += shownAt(at);
    // Runs side by side have one line in their place.
    if (snipped[index - 1]?.end !== start) freed -= line;
  }
  return { snipped, cleared, muted: spoken, freed };
};

const freedOf = ({ freed }: Muted): number => freed;

/** The place of the oldest call that may still be answered; its answer may come anywhere behind it. */
const waitingPlace = (session: OpenSession): number =>
  openCalls(session)[0]?.call.message ?? session.entries.length;

/** Returns the tokens as appended, without contributions: so that the view only grows. */
const keptTokens = ({ entries, pivot }: OpenSession): number =>
  tokensOf(entries) + (pivot?.summaryTokens ?? 0);
