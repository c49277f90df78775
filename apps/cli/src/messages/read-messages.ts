import type { MessageDraft } from '@app/application';
import { type Block, blockFrom, hasCallNames, type Role, textBlock } from '@app/domain';
import { isShallow } from '@app/formats';
import {
  AppError,
  CALL_NAMES_RULE,
  isJsonObject,
  isModelName,
  type Json,
  MessageId,
  MODEL_NAME_RULE,
  readJson,
} from '@app/kernel';

/**
 * Reads messages in Anthropic's form: one JSON object per line, or one JSON array. Validates all before any is
 * appended.
 *
 * @throws {AppError} `invalid-message` with the place of the first invalid message; `nothing-to-import` if there are
 * none.
 */
export const readMessages = (text: string, source: string): readonly MessageDraft[] => {
  const messages = text.trimStart().startsWith('[') ? fromArray(text, source) : fromLines(text, source);
  if (messages.length > 0) return messages;
  throw new AppError('nothing-to-import', `${source} holds no message`);
};

const fromLines = (text: string, source: string): readonly MessageDraft[] =>
  text.split('\n').flatMap((line, at) => {
    const where = `line ${at + 1} of ${source}`;
    return line.trim() === '' ? [] : [messageFrom(parsed(line, where), where)];
  });

const fromArray = (text: string, source: string): readonly MessageDraft[] => {
  const list = parsed(text, source);
  const messages: readonly Json[] = Array.isArray(list) ? list : [];
  return messages.map((value, at) => messageFrom(value, `message ${at + 1} of ${source}`));
};

const parsed = (text: string, where: string): Json => {
  const read = readJson(text);
  if ('value' in read) return read.value;
  throw invalid(where, `it ${read.fault}`);
};

const messageFrom = (value: Json, where: string): MessageDraft => {
  if (!isJsonObject(value)) throw invalid(where, 'it is no object');
  if (!isShallow(value)) throw invalid(where, 'it is nested too deep');
  const { id, role, content, model, reasoning } = value;
  if (!isRole(role)) throw invalid(where, 'its role is none of user, assistant and system');
  if (reasoning !== undefined && (reasoning !== 'disposable' || role !== 'assistant'))
    throw invalid(where, 'its reasoning is not "disposable", or it is no message of the assistant');
  return {
    role,
    blocks: blocksFrom(content, where),
    ...(id !== undefined && { id: idFrom(id, where) }),
    ...(model !== undefined && { model: modelFrom(model, where) }),
    ...(reasoning === 'disposable' && { reasoning }),
  };
};

const modelFrom = (model: Json, where: string): string => {
  if (typeof model === 'string' && isModelName(model)) return model;
  throw invalid(where, `its model is no name: give ${MODEL_NAME_RULE}`);
};

const blocksFrom = (content: Json | undefined, where: string): readonly Block[] => {
  if (typeof content === 'string' && content !== '') return [textBlock(content)];
  const parts: readonly Json[] = Array.isArray(content) ? content : [];
  if (parts.length === 0) throw invalid(where, 'it has no content: a text, or a list of blocks');
  return parts.map((part, at) => {
    const block = blockFrom(part);
    if (block && !hasCallNames(block)) throw invalid(where, CALL_NAMES_RULE);
    if (block) return block;
    throw invalid(where, `block ${at + 1} of its content lacks a required member of its type`);
  });
};

const idFrom = (id: Json, where: string): MessageId => {
  try {
    return MessageId(String(id));
  } catch (error) {
    throw invalid(where, error instanceof AppError ? error.message : 'its id cannot be used');
  }
};

const ROLES: readonly unknown[] = ['user', 'assistant', 'system'] satisfies Role[];
const isRole = (value: unknown): value is Role => ROLES.includes(value);

/** Names the place and the reason; never quotes the message. */
const invalid = (where: string, why: string): AppError =>
  new AppError('invalid-message', `${where} is no message: ${why}; nothing was appended`);
