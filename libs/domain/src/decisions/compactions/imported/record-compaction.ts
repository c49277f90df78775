import { sumTokens, Tokens } from '@app/kernel';
import { fileOperationsOf, NO_FILE_OPERATIONS } from '../../../compaction/files/index.js';
import { retentionOf } from '../../../compaction/prepare/retention.js';
import { standingsOf } from '../../../context/standing.js';
import { openingState, withSaving } from '../../../evolve/opening.js';
import { earlierMessages, fidelityOf } from '../../../fidelity/fidelity.js';
import { textOf } from '../../../message/index.js';
import { savedBehindCut } from '../../../occupancy/counted-limits.js';
import { estimatedTokens, occupancy } from '../../../occupancy/occupancy.js';
import { checkQuotes } from '../../../quotes/check-quotes.js';
import { knownUserText } from '../../../quotes/user-text.js';
import type { Entry } from '../../../session/entry.js';
import type { EventData, EventOf } from '../../../session/events.js';
import type { OpenSession } from '../../../session/state.js';
import { layOut, pairingIn } from '../../../turns/cuts.js';
import { carriedBefore } from '../../../turns/turns-of.js';
import { visibleResults } from '../../../turns/visible-results.js';
import { placeholderTokens } from '../../../view/recall/recall-tool.js';
import type { CommandOf, Decide } from '../../commands.js';
import { requested } from '../../requested.js';
import { occupancyAfter, stateAfter } from '../../state-after.js';
import { cancelled } from '../cancel-compaction.js';
import { closed } from '../circuit.js';

/** The recorded worker of an imported compaction. */
const WORKER = 'import';

/**
 * Imports a compaction by the session's own agent. It is a fact: the acceptance rules for summaries do not apply, and
 * no attempt is recorded, because none ran here.
 */
export const recordCompaction: Decide<'RecordCompaction'> = ({ data }, session) => {
  const { compactionId } = data;
  if (session.ended?.compactionId === compactionId) return []; // The same command again.
  const halves = halvesOf(session, data.retainedFrom);
  const before = withoutRestated(session, halves.retained);
  const wanted = {
    compactionId,
    trigger: 'imported' as const,
    profile: session.profile,
    instructions: undefined,
  };
  const asked = requested(before, wanted);
  const completed = completionOf(data, session, before, halves);
  const rebuilt = stateAfter(stateAfter(session, asked), completed);
  return [
    ...cancelled(session, 'caller', 'the agent of the imported session has compacted it'),
    asked,
    withFidelity(completed, session, halves),
    {
      type: 'CompactionApplied',
      data: {
        compactionId,
        ...sizesOf(completed),
        warningCleared: session.crossed.warning && !rebuilt.crossed.warning,
      },
    },
    ...closed(session, 'new-context'),
  ];
};

type Halves = {
  readonly at: number;
  readonly covered: readonly Entry[];
  readonly retained: readonly Entry[];
};

/** A message that a compaction of this engine's has covered since does not come back: then all that is left stays. */
const halvesOf = (
  session: OpenSession,
  from: CommandOf<'RecordCompaction'>['data']['retainedFrom'],
): Halves => {
  const { entries } = session;
  const first = carriedBefore(session) ? 1 : 0; // What stands before that one is in the context no more.
  const found = entries.findIndex((entry) => entry.message.id === from);
  const at = from === undefined ? entries.length : Math.max(first, found);
  return { at, covered: entries.slice(0, at), retained: entries.slice(at) };
};

/** Returns the session before the agent's restated messages were appended. */
const withoutRestated = (session: OpenSession, retained: readonly Entry[]): OpenSession => {
  const again = new Set(retained.filter(({ message }) => message.synthetic === 'restated'));
  if (again.size === 0) return session;
  return {
    ...session,
    entries: session.entries.filter((entry) => !again.has(entry)),
    entriesTokens: session.entriesTokens - sumTokens([...again].map(({ tokens }) => tokens)),
  };
};

const completionOf = (
  data: CommandOf<'RecordCompaction'>['data'],
  session: OpenSession,
  before: OpenSession,
  { at, covered, retained }: Halves,
): EventOf<'CompactionCompleted'> => {
  const { pivot, turn } = session;
  const [first] = retained;
  const [oldest, newest] = [covered[0], covered.at(-1)];
  const cut = first ? { messageId: first.message.id, revision: first.revision } : null;
  const { traits } = layOut(session);
  const draft: EventOf<'CompactionCompleted'> = {
    type: 'CompactionCompleted',
    data: {
      compactionId: data.compactionId,
      attempt: 1,
      worker: WORKER,
      trigger: 'imported',
      turn,
      summary: data.summary?.text ?? null,
      summaryTokens: data.summary?.framedTokens ?? Tokens(0),
      ...quotesIn(data, session),
      cut,
      splitTurn: newest !== undefined && newest.turn === first?.turn,
      covered:
        oldest && newest
          ? { from: oldest.message.id, to: newest.message.id, messages: covered.length }
          : null,
      countedBefore: estimatedTokens(before),
      countedAfter: Tokens(0),
      billedBefore: occupancy(before),
      billedAfter: Tokens(0),
      target: Tokens(0),
      retention: retentionOf({
        entries: session.entries,
        traits,
        at,
        carried: undefined,
        standingAt: standingsOf(session, { withView: false }),
        toolOutputs: session.profile.toolOutputs,
        // The transcript does not record omissions from the agent's summarizer prompt.
        reasoningIn: new Set(),
      }),
      droppedOutputs: [],
      fileOperations: fileOperationsOf(covered, pivot?.fileOperations ?? NO_FILE_OPERATIONS),
      summarizer: data.summarizer,
      ...(data.native && { native: data.native }),
      ...(data.usage && { usage: data.usage }),
      ...(data.cost && { cost: data.cost }),
      durationMs: data.durationMs,
      imported: data.imported,
      opening: openingState(session, retained, undefined, []),
    },
  };
  // An import has no target: the resulting size counts as the target.
  const rebuilt = stateAfter(session, draft);
  const countedAfter = estimatedTokens(rebuilt);
  const after = { countedAfter, billedAfter: occupancy(rebuilt), target: countedAfter };
  const opening = withSaving(draft.data.opening, savedBehindCut(before, rebuilt));
  return { ...draft, data: { ...draft.data, ...after, opening } };
};

const sizesOf = ({ data }: EventOf<'CompactionCompleted'>) => ({
  countedBefore: data.countedBefore,
  countedAfter: data.countedAfter,
  billedBefore: data.billedBefore,
  billedAfter: data.billedAfter,
});

const quotesIn = (
  { summary }: CommandOf<'RecordCompaction'>['data'],
  { entries, pivot }: OpenSession,
): Pick<EventData<'CompactionCompleted'>, 'quotes'> => {
  if (!summary) return {};
  const earlier = pivot?.summary == null ? undefined : { summary: pivot.summary, check: pivot.quotes };
  const messages = entries.map(({ message }) => message);
  return { quotes: checkQuotes(summary.text, knownUserText(messages, earlier)) };
};

const withFidelity = (
  completed: EventOf<'CompactionCompleted'>,
  { pivot }: OpenSession,
  { covered, retained }: Halves,
): EventOf<'CompactionCompleted'> => {
  if (covered.length === 0) return completed;
  const earlier = pivot?.summary == null ? [] : earlierMessages(pivot.summary, pivot.compactionId);
  const kept = retained.map(({ message }) => message);
  // Restated messages cover older ones and are still in the context, so that they count as part of the summary.
  const again = kept.filter(({ synthetic }) => synthetic === 'restated').map(textOf);
  const fidelity = fidelityOf(
    [...earlier, ...covered.map(({ message }) => message)],
    [completed.data.summary ?? '', ...again].join('\n'),
    kept,
  );
  return { ...completed, data: { ...completed.data, fidelity } };
};

/**
 * Imports tool outputs cleared by the session's own agent. It is a fact, so that no stage rule applies; outputs that
 * are gone or covered already are ignored.
 */
export const recordPruning: Decide<'RecordPruning'> = ({ data: { callIds, imported } }, session) => {
  const cleared = new Set(callIds);
  const shown = visibleResults(session, pairingIn(session)).filter(({ isDropped }) => !isDropped);
  const gone = shown.filter(({ reference }) => cleared.has(reference.callId));
  if (gone.length === 0) return [];
  const stay = shown.filter(({ reference }) => !cleared.has(reference.callId));
  const event: EventOf<'ToolOutputsPruned'> = {
    type: 'ToolOutputsPruned',
    data: {
      outputs: gone.map(({ reference, tokens }) => ({
        ...reference,
        freed: Tokens(Math.max(0, tokens - placeholderTokens(session))),
      })),
      kept: sumTokens(stay.map(({ tokens }) => tokens)),
      pruned: sumTokens(gone.map(({ tokens }) => tokens)),
      turn: session.turn,
      occupancyAfter: Tokens(0),
      imported,
    },
  };
  return [{ ...event, data: { ...event.data, occupancyAfter: occupancyAfter(session, event) } }];
};
