import { isToolResult, type Pairing, toolCallsOf } from '../message/index.js';
import type { Entry } from '../session/entry.js';
import type { CallReference } from '../session/facts.js';
import { callKey } from '../session/marks.js';
import { collapsedTurns, type OpenSession } from '../session/state.js';

/** The result of a call as requests carry it. */
export type VisibleResult = {
  readonly reference: CallReference;
  readonly tool: string;
  readonly caller: Entry;
  readonly answer: Entry;
  /** The index of its message, and its index among the results there. */
  readonly at: number;
  readonly place: number;
  readonly tokens: number;
  readonly isOffloaded: boolean;
  readonly isDropped: boolean;
  /** Whether its turn is collapsed, so that it is not shown. */
  readonly isCollapsed: boolean;
};

/**
 * Every answered call of the context, in the order of the calls. Of calls of one message under one id the first alone:
 * nothing could tell a mark of one from that of another.
 */
export const visibleResults = (session: OpenSession, pairing: Pairing): readonly VisibleResult[] => {
  const offloaded = new Map(session.marks.offloaded.map((one) => [callKey(one), one]));
  const dropped = new Set(session.droppedOutputs.map(callKey));
  const collapsed = collapsedTurns(session);
  const known = new Set<string>();
  const tokensOf = resultSizes();
  return pairing.calls.flatMap(({ id: callId, call, result }): VisibleResult[] => {
    const caller = session.entries[call.message];
    const answer = result && session.entries[result.message];
    if (!caller || !answer) return [];
    const reference = { messageId: caller.message.id, callId };
    const key = callKey(reference);
    if (known.has(key)) return [];
    known.add(key);
    const freed = offloaded.get(key)?.freed ?? 0;
    return [
      {
        reference,
        tool: toolCallsOf(caller.message)[call.block]?.name ?? '',
        caller,
        answer,
        at: result.message,
        place: result.block,
        tokens: Math.max(0, (tokensOf(answer)[result.block] ?? 0) - freed),
        isOffloaded: offloaded.has(key),
        isDropped: dropped.has(key),
        isCollapsed: collapsed.has(answer.turn),
      },
    ];
  });
};

/**
 * Returns the tokens of a message's results by their index, because an id may occur twice. The blocks of a message
 * are read once for all its calls.
 */
const resultSizes = (): ((entry: Entry) => readonly number[]) => {
  const known = new Map<Entry, readonly number[]>();
  return (entry) => {
    const sizes =
      known.get(entry) ??
      entry.message.blocks.flatMap((block, at) => (isToolResult(block) ? [entry.blockTokens[at] ?? 0] : []));
    known.set(entry, sizes);
    return sizes;
  };
};

/**
 * Returns whether a tool is one of `names`. Agents write the same tool in different cases (`Skill`, `skill`), so names
 * are compared without case.
 */
export const isToolAmong = (names: readonly string[]): ((tool: string) => boolean) => {
  if (names.length === 0) return () => false;
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (tool) => known.has(tool.toLowerCase());
};
