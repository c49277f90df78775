import type { SubjectRef } from '@app/kernel';
import { allSubjects, type Message, startsTurn, toolResultsOf, withSubjects } from '../message/index.js';
import { contextSubjects } from '../session/description.js';
import type { EventOf, SessionEvent } from '../session/events.js';
import type { OpenSession, SessionState } from '../session/state.js';
import { RECALL_TOOL } from '../view/recall/recall-tool.js';

/**
 * Returns decided events with the subjects whose content they hold. Content of a caller has the subjects that the caller
 * names and those of the session; an answer without its own has those of the message before it in its turn. Both also where
 * earlier content of those subjects was erased: what comes later can be erased again. What this engine derives (summaries, opening states, recalled messages) has the subjects of everything that it could quote.
 */
export const attributed = (events: readonly SessionEvent[], state: SessionState): readonly SessionEvent[] => {
  let previous = state.status === 'open' ? state.entries.at(-1)?.message : undefined;
  return events.map((event) => {
    if (event.type !== 'MessageAppended') return state.status === 'open' ? ofContext(event, state) : event;
    const message =
      state.status === 'open' ? messageOf(event.data.message, previous, state) : event.data.message;
    previous = message;
    return message === event.data.message ? event : { ...event, data: { ...event.data, message } };
  });
};

const messageOf = (message: Message, previous: Message | undefined, session: OpenSession): Message => {
  const inherited = startsTurn(message) ? undefined : previous?.subjects;
  const own = message.subjects ?? inherited;
  const subjects = allSubjects([
    sessionSubjects(session),
    own,
    isRecalled(message, session) ? contextSubjects(session) : undefined,
  ]);
  return withSubjects(message, subjects);
};

/** The subjects of all content of a session from now on. */
const sessionSubjects = ({ opened, description: { customer } }: OpenSession): readonly SubjectRef[] =>
  allSubjects([opened.subjectsApplyTo === 'opening' ? undefined : opened.subjects, customer && [customer]]);

/** System prompt and tools of a session that several subjects share come with the messages of one of them. */
const partSubjects = (session: OpenSession): readonly SubjectRef[] => {
  const newest = session.entries.at(-1)?.message;
  const ofNewest = session.opened.subjectsApplyTo === 'opening' ? newest?.subjects : undefined;
  return allSubjects([sessionSubjects(session), ofNewest]);
};

/** Maximum distance of a result from its call, in messages. */
const CALL_WITHIN = 64;

/** Whether a message holds results of the recall tool, which can quote any message of the session. */
const isRecalled = (message: Message, { entries }: OpenSession): boolean => {
  const results = toolResultsOf(message);
  if (results.length === 0) return false;
  const ids = new Set(results.map(({ tool_use_id }) => tool_use_id));
  return entries
    .slice(-CALL_WITHIN)
    .some(({ message: { blocks } }) =>
      blocks.some(
        (block) => block.type === 'tool_use' && block.name === RECALL_TOOL && ids.has(String(block.id)),
      ),
    );
};

const ofContext = (
  event: Exclude<SessionEvent, { type: 'MessageAppended' }>,
  session: OpenSession,
): SessionEvent => {
  switch (event.type) {
    case 'ContentPinned': {
      const pin = withSubjects(
        event.data.pin,
        allSubjects([sessionSubjects(session), event.data.pin.subjects]),
      );
      return pin === event.data.pin ? event : { ...event, data: { ...event.data, pin } };
    }
    case 'RequestPartsChanged': {
      const data = withSubjects(event.data, partSubjects(session));
      const historySubjects = contextSubjects(session);
      return { ...event, data: { ...data, ...(historySubjects.length > 0 && { historySubjects }) } };
    }
    case 'CompactionCompleted':
      return { ...event, data: withSubjects(event.data, summarySubjects(event, session)) };
    case 'SessionDescribed': {
      const { customer } = event.data;
      const subjects = allSubjects([contextSubjects(session), customer && [customer]]);
      return { ...event, data: withSubjects(event.data, subjects) };
    }
    case 'RequestComposed':
    case 'SessionClosed':
    case 'CompactionOverridden':
    case 'CompactionsHeld':
    case 'CompactionsReleased':
    case 'CompactionRequested':
    case 'CompactionDeferred':
    case 'CompactionStarted':
    case 'CompactionCancelled':
    case 'CompactionReverted':
    case 'SessionReset':
      // The data of each of these types is one that may have subjects.
      return { ...event, data: withSubjects(event.data, contextSubjects(session)) } as SessionEvent;
    default:
      return event;
  }
};

/** A model has read the retained messages as well; without one, a summary quotes its covered messages and earlier summaries. */
const summarySubjects = (
  { data }: EventOf<'CompactionCompleted'>,
  session: OpenSession,
): readonly SubjectRef[] => {
  const { cut, summarizer } = data;
  const end = cut ? session.entries.findIndex(({ message }) => message.id === cut.messageId) : -1;
  if (!summarizer.deterministic || end < 0) return contextSubjects(session);
  return contextSubjects({ ...session, entries: session.entries.slice(0, end) });
};
