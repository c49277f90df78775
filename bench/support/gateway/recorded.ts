import { readFileSync } from 'node:fs';
import { invariant, isJsonObject, type JsonObject, parseJsonObject } from '@app/kernel';

const FILE = new URL('../../../../samples/agent-session.json', import.meta.url);

/** A session that was recorded, as a client of Anthropic's messages sends it: user and assistant in turns. */
export type RecordedSession = {
  /** All members of a request but the model and the messages. */
  readonly beside: JsonObject;
  readonly messages: readonly JsonObject[];
};

/** The sample session, up to so many answers of the model. */
export const recordedSession = (answers: number): RecordedSession => {
  const { system, tools, messages } = parseJsonObject(readFileSync(FILE, 'utf8')) ?? {};
  invariant(Array.isArray(messages) && system && tools, 'the sample is a request of Anthropic’s messages');
  const taken = messages.filter(isJsonObject).slice(0, answers * 2);
  invariant(taken.length === answers * 2, `the sample has ${answers} answers`);
  return { beside: { system, tools }, messages: taken };
};

/** What the model has answered, one list of blocks for each answer. */
export const answersIn = ({ messages }: RecordedSession): readonly (readonly JsonObject[])[] =>
  messages
    .filter(({ role }) => role === 'assistant')
    .map(({ content }) => (Array.isArray(content) ? content.filter(isJsonObject) : []));
