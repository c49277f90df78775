import { Attached, sumTokens, Tokens } from '@app/kernel';
import { type AtomicGroup, type Message, textBlock } from '../message/index.js';
import type { StageName } from '../profiles/profile.js';
import type { Entry } from '../session/entry.js';
import { NO_MARKS } from '../session/marks.js';
import { collapsedTurns, type OpenSession } from '../session/state.js';
import { freedByPlace } from '../turns/freed-by-place.js';
import { collapsedText } from './collapsed-text.js';
import { placeholderTokens, snippedText, wayBackOf } from './recall/recall-tool.js';
import { rewriting } from './rewriting.js';
import { type View, viewOf } from './view.js';

/** Changes of messages in requests. */
export type Edit = StageName | 'drop-reasoning';

/** The session as sent, and the stages that changed it, in order. */
type Shown = { readonly session: OpenSession; readonly edits: readonly Edit[] };

/**
 * Returns the session as requests carry it: without content removed by marks and view, sizes included, as if appended
 * that way. Dropped outputs are replaced later, when calls are paired with results.
 */
export const shownSession = (session: OpenSession): Shown => known.once(session, () => shownOf(session));

/** Returns the changes of messages in requests, in order. */
export const editsIn = (session: OpenSession): readonly Edit[] => editsOf(session, viewOf(session));

/** Sessions as requests carry them that were worked out; a session never changes. */
const known = new Attached<OpenSession, Shown>();

const shownOf = (session: OpenSession): Shown => {
  const view = viewOf(session);
  const edits = editsOf(session, view);
  if (edits.every((edit) => edit === 'prune')) return { session, edits };
  const entries = shownEntries(session, view);
  const ids = new Set(
    entries.filter(({ message }) => message.role === 'assistant').map(({ message }) => message.id),
  );
  const droppedOutputs = session.droppedOutputs.filter(({ messageId }) => ids.has(messageId));
  const { stages } = session.profile;
  const shown: OpenSession = {
    ...session,
    entries,
    entriesTokens:
      sumTokens(entries.map(({ tokens }) => tokens)) - sumTokens(droppedOutputs.map(({ freed }) => freed)),
    droppedOutputs,
    marks: NO_MARKS,
    // The stages have run: they must not run twice.
    profile: { ...session.profile, stages: stages.filter((stage) => stage !== 'snip' && stage !== 'micro') },
  };
  return { session: shown, edits };
};

const editsOf = (
  { marks, droppedOutputs }: OpenSession,
  { snipped, cleared, muted }: View,
): readonly Edit[] => {
  const edits: readonly (Edit | false)[] = [
    marks.offloaded.length > 0 && 'offload-results',
    snipped.length > 0 && 'snip',
    cleared.length > 0 && 'micro',
    droppedOutputs.length > 0 && 'prune',
    (marks.droppedReasoning.length > 0 || muted.length > 0) && 'drop-reasoning',
    marks.collapsed.length > 0 && 'collapse',
  ];
  return edits.filter((edit) => edit !== false);
};

const shownEntries = (session: OpenSession, view: View): readonly Entry[] => {
  const { marks, entries } = session;
  const { snipped } = view;
  const rewritten = rewriting(session, view);
  const collapsed = collapsedTurns(session);
  const members = membersOf(entries, collapsed);
  const segments = new Map(marks.collapsed.toReversed().map((one) => [one.messageId, one]));
  const steps = new Map(snipped.flatMap((step) => placesIn(step).map((at) => [at, step])));
  const ends = new Set(snipped.map(({ end }) => end));
  const runFrom = runsIn(snipped);
  return entries.flatMap((entry, at): Entry[] => {
    const { message, turn } = entry;
    if (collapsed.has(turn)) {
      if (entries[at - 1]?.turn === turn) return [];
      // A fork renumbers its turns: the line keeps its original number.
      const segment = segments.get(message.id);
      const tokens = segment ? Tokens(segment.tokens - segment.freed) : entry.tokens;
      const text = collapsedText(segment?.turn ?? turn, members.get(turn) ?? [], wayBackOf(session));
      return [inUsersPlace(entry, text, tokens)];
    }
    const step = steps.get(at);
    if (!step) return [rewritten(entry, at)];
    return at === step.start && !ends.has(step.start)
      ? [
          inUsersPlace(
            entry,
            snippedText(message.id, runFrom(step), wayBackOf(session)),
            Tokens(placeholderTokens(session)),
          ),
        ]
      : [];
  });
};

const placesIn = ({ start, end }: AtomicGroup): readonly number[] =>
  Array.from({ length: end - start }, (_, at) => start + at);

/** Returns the messages of collapsed turns, by turn. */
const membersOf = (
  entries: readonly Entry[],
  collapsed: ReadonlySet<number>,
): ReadonlyMap<number, readonly Message[]> => {
  const members = new Map<number, Message[]>();
  for (const { turn, message } of entries) {
    if (!collapsed.has(turn)) continue;
    const known = members.get(turn);
    if (known) known.push(message);
    else members.set(turn, [message]);
  }
  return members;
};

/** Returns the number of adjacent messages of snipped steps, by the first step. */
const runsIn = (snipped: readonly AtomicGroup[]): ((step: AtomicGroup) => number) => {
  const next = new Map(snipped.map((one) => [one.start, one]));
  return (step) => {
    let end = step.end;
    for (let after = next.get(end); after; after = next.get(end)) end = after.end;
    return end - step.start;
  };
};

const inUsersPlace = (entry: Entry, text: string, tokens: Tokens): Entry => ({
  ...entry,
  message: { id: entry.message.id, role: 'user', blocks: [textBlock(text)] },
  tokens,
  blockTokens: [tokens],
});

/** Returns the counted tokens that a request takes of the message at a place; the lines in place of snipped ones aside. */
export const shownTokens = (session: OpenSession): ((at: number) => number) => {
  const marked = freedByPlace(session);
  const { snipped, cleared, muted } = viewOf(session);
  const gone = new Set<number>();
  for (const { start, end } of snipped) for (let at = start; at < end; at += 1) gone.add(at);
  const freed = new Map<number, number>();
  for (const { at, tokens } of cleared)
    freed.set(at, (freed.get(at) ?? 0) + tokens - placeholderTokens(session));
  for (const one of muted) freed.set(one.at, (freed.get(one.at) ?? 0) + one.freed);
  return (at) =>
    gone.has(at) ? 0 : (session.entries[at]?.tokens ?? 0) - (marked.get(at) ?? 0) - (freed.get(at) ?? 0);
};
