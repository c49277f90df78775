import { readFileSync } from 'node:fs';
import { invariant, isJsonObject, type JsonObject, parseJsonObject } from '@app/kernel';

const FILE = new URL('../../../../samples/agent-session.json', import.meta.url);

/** A recorded session in Anthropic's message format, with alternating user and assistant messages. */
export type RecordedSession = {
  /** All request members except model and messages. */
  readonly beside: JsonObject;
  readonly messages: readonly JsonObject[];
};

/** Returns the sample session, up to `answers` answers of the model. */
export const recordedSession = (answers: number): RecordedSession => {
  const { system, tools, messages } = parseJsonObject(readFileSync(FILE, 'utf8')) ?? {};
  invariant(Array.isArray(messages) && system && tools, 'the sample is a request of Anthropic’s messages');
  const taken = messages.filter(isJsonObject).slice(0, answers * 2);
  invariant(taken.length === answers * 2, `the sample has ${answers} answers`);
  return { beside: { system, tools }, messages: taken };
};

/** Returns the model's answers, one list of blocks each. */
export const answersIn = ({ messages }: RecordedSession): readonly (readonly JsonObject[])[] =>
  messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => (Array.isArray(content) ? content.filter(isJsonObject) : []));
