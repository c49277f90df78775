import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isShallow } from '../drafts/content-blocks.js';
import { Named } from '../drafts/doubles.js';
import type { Draft, DraftMessage, DraftSession } from '../drafts/draft.js';
import { modelNameIn, stringIn } from '../drafts/members.js';
import type { Entry } from '../lines/parse-line.js';
import { type Conversation, conversationsIn, listedIn } from './conversations.js';
import { wrappedMessage } from './is-chat-message.js';
import { timeOf } from './time-of.js';

/** The conversion of a chat protocol. */
export type ChatProtocol = {
  /** Converts the messages of one session in order; `undefined` for an unusable message. */
  readonly converter: () => (message: JsonObject) => DraftMessage | undefined;
  /** Reads session properties from the object around the messages. */
  readonly sessionOf: (around: JsonObject) => Pick<DraftSession, 'system' | 'tools'>;
};

/** Reads documents that hold conversations, each a session, and lines that are one message each of one session. */
export async function* readConversations(
  entries: AsyncIterable<Entry>,
  protocol: ChatProtocol,
): AsyncGenerator<Draft, void, undefined> {
  let sessionCount = 0;
  const nextSession = (around: JsonObject): OpenConversation => {
    sessionCount += 1;
    return openConversation(protocol, around, sessionCount);
  };
  let ofLines: OpenConversation | undefined;
  let last: OpenConversation | undefined;

  for await (const entry of entries) {
    if (entry.kind === 'skipped') {
      yield entry;
      continue;
    }
    const further = entry.isContinued === true && last ? furtherMessages(entry.value) : undefined;
    if (last && further) {
      yield* draftsOf(last, further, entry.line);
      continue;
    }
    const { conversations, foreignCount } = conversationsIn(entry.value);
    for (const conversation of conversations) {
      last = nextSession(conversation.around ?? {});
      yield { kind: 'session', session: last.session };
      yield* draftsOf(last, conversation.messages, entry.line);
      yield* answerOf(last, conversation, entry.line);
    }
    if (conversations.length > 0) {
      const reason = `holds ${foreignCount} elements that are no conversation`;
      if (foreignCount > 0) yield { kind: 'skipped', line: entry.line, reason };
      continue;
    }
    if (!hasRole(entry.value)) {
      yield { kind: 'skipped', line: entry.line, reason: 'is neither a message nor a conversation' };
      continue;
    }
    if (ofLines === undefined) {
      ofLines = nextSession({});
      yield { kind: 'session', session: ofLines.session };
    }
    yield draftOf(ofLines, entry.value, entry.line, '');
  }
}

/** Returns the messages that continue a split document; `undefined` for a list of conversations. */
const furtherMessages = (value: Json): readonly Json[] | undefined => {
  if (!Array.isArray(value)) return isJsonObject(value) ? listedIn(value) : [];
  const [conversation] = conversationsIn(value).conversations;
  const list: readonly Json[] = value;
  return conversation?.around === undefined ? list : undefined;
};

function* draftsOf(open: OpenConversation, messages: readonly Json[], line: number): Generator<Draft> {
  for (const message of messages) {
    yield draftOf(open, message, line, ` at index ${open.messageCount}`);
    open.messageCount += 1;
  }
}

/** Yields the response after its request. */
function* answerOf(open: OpenConversation, { answer }: Conversation, line: number): Generator<Draft> {
  if (answer === undefined) return;
  const draft = draftOf(open, answer.message, line, ' as its answer');
  yield draft.kind === 'message' ? { ...draft, message: { ...draft.message, ...answer.told } } : draft;
  const reason = `holds ${answer.otherCount} further answers to the same request`;
  if (answer.otherCount > 0) yield { kind: 'skipped', line, reason };
}

type OpenConversation = {
  readonly session: DraftSession;
  /** Read so far, usable or not. */
  messageCount: number;
  readonly convert: ReturnType<ChatProtocol['converter']>;
  readonly named: Named;
  /** The message before the next one. */
  before: Json | undefined;
};

const openConversation = (protocol: ChatProtocol, around: JsonObject, ordinal: number): OpenConversation => {
  const ownId = stringIn(around, 'conversation');
  const model = modelNameIn(around);
  return {
    session: {
      key: `conversation-${ordinal}`,
      ...(ownId !== undefined && { ownId }),
      // The first keeps the name that it would have alone: files of lines and of documents grow at their end.
      ...(ordinal > 1 && { ordinal }),
      ...(model !== undefined && { model }),
      ...protocol.sessionOf(around),
    },
    messageCount: 0,
    convert: protocol.converter(),
    named: new Named(),
    before: undefined,
  };
};

/** Words may well be repeated; calls and results are not, right behind themselves. */
const isAgain = (message: JsonObject, before: Json | undefined): boolean =>
  isJsonObject(before) &&
  message.role === before.role &&
  hasCalls(message) &&
  isShallow(message) &&
  isShallow(before) &&
  JSON.stringify(message) === JSON.stringify(before);

const hasCalls = ({ content, tool_calls: calls, tool_call_id: id }: JsonObject): boolean =>
  Array.isArray(calls) ||
  typeof id === 'string' ||
  (Array.isArray(content) &&
    content.some((part) => isJsonObject(part) && (part.type === 'tool_use' || part.type === 'tool_result')));

const hasRole = (value: Json): boolean =>
  isJsonObject(value) && (typeof value.role === 'string' || wrappedMessage(value) !== undefined);

/** @param place the position of the message in its line, for the report. */
const draftOf = (open: OpenConversation, given: Json, line: number, place: string): Draft => {
  const { session, convert, named, before } = open;
  const { key } = session;
  const value = wrappedMessage(given) ?? given;
  open.before = value;
  if (!isJsonObject(value)) return unusable(line, place);
  if (named.isDouble(stringIn(value, 'id'), value) || isAgain(value, before))
    return { kind: 'skipped', line, reason: 'holds a message that was read before' };
  const message = convert(value);
  if (message === undefined) return unusable(line, place);
  // An empty answer is billed, too.
  if (message.blocks.length === 0 && message.usage === undefined)
    return { kind: 'skipped', line, reason: `holds an empty message${place}` };
  const createdAt = timeOf(value) ?? (value === given || !isJsonObject(given) ? undefined : timeOf(given));
  return {
    kind: 'message',
    key,
    message: { ...message, ...(createdAt !== undefined && { createdAt }) },
  };
};

const unusable = (line: number, place: string): Draft => ({
  kind: 'skipped',
  line,
  reason: place === '' ? 'is no usable message' : `holds no usable message${place}`,
});
