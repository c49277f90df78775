import { AppError, pick, Revision, Tokens } from '@app/kernel';
import { NO_FILE_OPERATIONS } from '../../compaction/files/index.js';
import { openingState } from '../../evolve/opening.js';
import { fold } from '../../evolve/rebuild.js';
import { allSubjects, withSubjects } from '../../message/index.js';
import type { Entry } from '../../session/entry.js';
import type { EventOf, SessionEvent } from '../../session/events.js';
import { initialState, type OpenSession, type SessionState } from '../../session/state.js';
import { carriedBefore } from '../../turns/turns-of.js';
import type { CommandOf } from '../commands.js';
import { crossingsTo } from '../crossings.js';
import { retainedFrom } from '../protection/change-protection.js';
import { doubleConfigured } from '../provider/report-edits.js';
import { occupancyAfter, stateAfter } from '../state-after.js';

/**
 * Opens a session with a copy of another one's context: messages, summary and pins. The sessions are independent from
 * then on.
 *
 * @throws {AppError} `session-already-open`.
 */
export const forkSession = (
  { data }: CommandOf<'ForkSession'>,
  state: SessionState,
): readonly SessionEvent[] => {
  const { sessionId, from, source, compactionId } = data;
  if (state.status === 'open') {
    throw new AppError(
      'session-already-open',
      `there is a session "${sessionId}": give the fork another name`,
    );
  }
  const copied = copyOf(source, data);
  const session = withHeadOf(source, foldAll(copied));
  const carried = carriedIn(session, source);
  const retained = session.entries.filter((entry) => entry !== carried);
  const [first] = retained;
  const forked: EventOf<'SessionForked'> = {
    type: 'SessionForked',
    data: {
      compactionId: source.pivot?.compactionId ?? compactionId,
      from,
      summary: source.pivot?.summary ?? null,
      summaryTokens: source.pivot?.summaryTokens ?? Tokens(0),
      ...(source.pivot && source.pivot.reinjected.length > 0 && { reinjected: source.pivot.reinjected }),
      ...(source.pivot?.quotes && { quotes: source.pivot.quotes }),
      ...(source.pivot?.subjects && { subjects: source.pivot.subjects }),
      ...(source.pivot?.erased && { erased: source.pivot.erased }),
      cut: first ? { messageId: first.message.id, revision: first.revision } : null,
      retention: source.pivot?.retention ?? [],
      fileOperations: source.pivot?.fileOperations ?? NO_FILE_OPERATIONS,
      occupancyAfter: Tokens(0),
      opening: openingState(withMarksOf(source, session), retained, carried, [], source.compactions),
    },
  };
  const withOccupancy = {
    ...forked,
    data: { ...forked.data, occupancyAfter: occupancyAfter(session, forked) },
  };
  return [
    ...copied,
    withOccupancy,
    ...doubleConfigured(session.profile, 'session-start'),
    ...crossingsTo(stateAfter(session, withOccupancy), NOTHING_CROSSED),
    ...retainedFrom(data.now, data.retention),
  ];
};
const NOTHING_CROSSED = { warning: false, critical: false, blocking: false };

/** Returns the opened session and its messages: leading system messages, carried and retained ones. */
const copyOf = (
  source: OpenSession,
  { sessionId, now }: Pick<CommandOf<'ForkSession'>['data'], 'sessionId' | 'now'>,
): readonly SessionEvent[] => {
  const { model, limits, policy: profile } = source;
  const { systemPrompt, tools, fixedTokens } = source.parts;
  const { openedAt: _, title: __, project: ___, ...before } = source.opened;
  const settings = { sessionId, model, limits, profile, systemPrompt, tools, fixedTokens };
  const { subjects: describedOf, erased: _erased, ...described } = source.description;
  const subjects = allSubjects([before.subjects, describedOf]);
  const opened: SessionEvent = {
    type: 'SessionOpened',
    data: withSubjects({ ...before, ...described, ...settings, ...(now && { openedAt: now }) }, subjects),
  };
  const messages = [...source.leadingSystem, ...source.entries].map(
    ({ message, tokens, blockTokens }: Entry): SessionEvent => ({
      type: 'MessageAppended',
      data: { message, tokens, blockTokens, estimator: 'copied' },
    }),
  );
  return [opened, ...messages];
};

const foldAll = (events: readonly SessionEvent[]): OpenSession => {
  const state = fold(
    initialState,
    events.map((event, at) => ({ event, revision: Revision(at) })),
  );
  if (state.status !== 'open') throw new RangeError('a copy opens its session');
  return state;
};

/**
 * System messages that are not at the source's head do not become the fork's system prompt, although they are copied
 * first.
 */
const withHeadOf = ({ leadingSystem: head }: OpenSession, session: OpenSession): OpenSession => {
  const { leadingSystem, entries, entriesTokens } = session;
  const others = leadingSystem.slice(head.length);
  return {
    ...session,
    leadingSystem: leadingSystem.slice(0, head.length),
    entries: [...others, ...entries],
    entriesTokens: others.reduce((sum, { tokens }) => sum + tokens, entriesTokens),
  };
};

const carriedIn = (session: OpenSession, source: OpenSession): Entry | undefined => {
  const carried = carriedBefore(source);
  return carried && session.entries.find((entry) => entry.message.id === carried.message.id);
};

/** Copies the marks of messages to their copies; turns are counted from the start. */
const withMarksOf = (source: OpenSession, session: OpenSession): OpenSession => ({
  ...session,
  ...pick(source, 'parts', 'pins', 'abandonedCalls', 'droppedOutputs', 'marks', 'unreplayableReasoning'),
  request: { ...session.request, contributed: source.request.contributed },
  turnCompleted: source.turnCompleted >= source.turn ? session.turn : session.turn - 1,
});
