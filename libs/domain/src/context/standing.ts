import type { MessageId } from '@app/kernel';
import { hasReasoning, type Message, toolResultsOf } from '../message/index.js';
import type { CallReference } from '../session/facts.js';
import { callKey } from '../session/marks.js';
import type { PartRule } from '../session/retention.js';
import { collapsedTurns, type OpenSession } from '../session/state.js';
import { pairingIn } from '../turns/cuts.js';
import { shownSession } from '../view/shown-session.js';
import { NOTHING_LEFT_OUT, viewOf } from '../view/view.js';
import type { Shortening } from './ladder/shortening.js';

/** Whether requests carry a message; `dropped`: the newest one does not, because it went down the ladder. */
type MessageRule = 'verbatim' | 'snipped' | 'collapsed' | 'dropped';
/** The part of a tool result that requests carry. */
export type ResultStanding = CallReference & { readonly rule: PartRule };
/** The part of a message that requests carry. */
export type MessageStanding = {
  readonly message: MessageRule;
  /** The results in the message, in order; empty if all results of the context are verbatim. */
  readonly results: readonly ResultStanding[];
  readonly reasoning: PartRule;
};

export type StandingOptions = {
  /** Messages whose reasoning composing leaves out, because its provider would refuse it. */
  readonly leavesOut?: (message: Message) => boolean;
  /** The content that the ladder omitted from the newest request; absent if it was sent in full. */
  readonly shortening?: Shortening | undefined;
  /** Whether omissions of read-time stages count. Default `true`. */
  readonly withView?: boolean;
};

/** Returns the standing of each message of a session's context, by its index among the entries. */
export const standingsOf = (
  session: OpenSession,
  { leavesOut = () => false, shortening, withView = true }: StandingOptions = {},
): ((at: number) => MessageStanding) => {
  const { entries, marks, reasoningClearedIn } = session;
  const { snipped, muted } = withView ? viewOf(session) : NOTHING_LEFT_OUT;
  const resultsAt = resultRules(session, shortening, withView);
  const collapsed = collapsedTurns(session);
  const isSnipped = placesIn(snipped);
  const dropped = droppedBy(session, shortening);
  const mute = new Set<MessageId>([
    ...marks.droppedReasoning.map(({ messageId }) => messageId),
    ...muted.map(({ entry }) => entry.message.id),
  ]);
  const cleared = new Set(reasoningClearedIn);
  return (at) => {
    const entry = entries[at];
    if (!entry) return { message: 'verbatim', results: [], reasoning: 'none' };
    const { message, turn } = entry;
    const rule: MessageRule = collapsed.has(turn)
      ? 'collapsed'
      : isSnipped.has(at)
        ? 'snipped'
        : dropped.has(message.id)
          ? 'dropped'
          : 'verbatim';
    const there = resultsAt.get(at) ?? NO_RESULTS;
    const results = rule === 'verbatim' ? there : there.map((one) => ({ ...one, rule }));
    if (!hasReasoning(message)) return { message: rule, results, reasoning: 'none' };
    if (mute.has(message.id)) return { message: rule, results, reasoning: 'dropped' };
    if (rule !== 'verbatim') return { message: rule, results, reasoning: rule };
    const reasoning = leavesOut(message) ? 'omitted' : cleared.has(turn) ? 'cleared-by-provider' : 'verbatim';
    return { message: rule, results, reasoning };
  };
};

const NO_RESULTS: readonly ResultStanding[] = [];

const placesIn = (runs: readonly { readonly start: number; readonly end: number }[]): ReadonlySet<number> => {
  const places = new Set<number>();
  for (const { start, end } of runs) for (let at = start; at < end; at += 1) places.add(at);
  return places;
};

/** Messages that the ladder left out of the newest request. */
const droppedBy = (session: OpenSession, shortening: Shortening | undefined): ReadonlySet<MessageId> => {
  if (!shortening || shortening.droppedGroups === 0) return new Set();
  const kept = new Set(shortening.messages.map(({ id }) => id));
  const { entries } = shownSession(session).session;
  return new Set(entries.map(({ message }) => message.id).filter((id) => !kept.has(id)));
};

/** The results of each message, by its place, in their order; results that answer no call have no rule of their own. */
const resultRules = (
  session: OpenSession,
  shortening: Shortening | undefined,
  withView: boolean,
): ReadonlyMap<number, readonly ResultStanding[]> => {
  const { entries, droppedOutputs, marks } = session;
  const rules = new Map<string, PartRule>(marks.offloaded.map((one) => [callKey(one), 'offloaded']));
  if (withView) for (const { reference } of viewOf(session).cleared) rules.set(callKey(reference), 'cleared');
  for (const one of droppedOutputs) rules.set(callKey(one), one.by === 'prune' ? 'pruned' : 'dropped');
  for (const one of shortening?.masked ?? []) rules.set(callKey(one), 'masked');
  if (rules.size === 0 && !shortening) return new Map();
  const isCut = cutBy(session, shortening);
  const standing = new Map<number, (ResultStanding & { readonly block: number })[]>();
  for (const { id: callId, call, result } of pairingIn(session).calls) {
    const caller = entries[call.message];
    const answer = result && entries[result.message];
    if (!caller || !answer) continue;
    const reference = { messageId: caller.message.id, callId };
    const marked = rules.get(callKey(reference)) ?? 'verbatim';
    const rule = isCut(answer.message.id, result.block) ? 'cut' : marked;
    const there = standing.get(result.message) ?? [];
    there.push({ ...reference, rule, block: result.block });
    standing.set(result.message, there);
  }
  return new Map(
    [...standing].map(([at, all]) => [
      at,
      all
        .toSorted((a, b) => a.block - b.block)
        .map(({ messageId, callId, rule }) => ({ messageId, callId, rule })),
    ]),
  );
};

/** Whether the ladder cut a result of the newest request to head and tail, by its message and its place there. */
const cutBy = (
  session: OpenSession,
  shortening: Shortening | undefined,
): ((id: MessageId, block: number) => boolean) => {
  if (shortening?.rung !== 'newest-group') return () => false;
  const sent = new Map(shortening.messages.map((message) => [message.id, message]));
  const shown = new Map(shownSession(session).session.entries.map(({ message }) => [message.id, message]));
  return (id, block) => {
    const [before, after] = [shown.get(id), sent.get(id)];
    if (!before || !after || before === after) return false;
    return toolResultsOf(before)[block] !== toolResultsOf(after)[block];
  };
};
