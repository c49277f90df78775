import { createHash, type Hash } from 'node:crypto';
import type { AnthropicMessage, AnthropicRequest } from '@app/domain';
import { isSameList, jsonPieces, Slices } from '@app/kernel';

/** The SHA-256 of the beginning of a request, which the requests of later turns have as well. */
type Beginning = {
  /** The text before the history. */
  readonly head: string;
  readonly messages: readonly AnthropicMessage[];
  readonly hash: Hash;
};

/** Last messages that are no part of a beginning: the next messages may join them. */
const UNSETTLED = 4;

/** The beginnings of the last requests, by an object that lives as long as they are of use. */
const BEGINNINGS = new WeakMap<object, Beginning>();

/**
 * Returns the SHA-256 of the JSON text of a request, hexadecimal, without keeping the text: that of a long history is mostly the
 * text of the last request. Yields to the event loop.
 *
 * @param owner an object that the requests of one session have in common, if there is one.
 */
export const historyDigest = async (
  request: AnthropicRequest,
  owner: object | undefined,
): Promise<string> => {
  const [head, tail] = aroundMessages(request);
  const { messages } = request;
  const known = owner && BEGINNINGS.get(owner);
  const isKnown = known !== undefined && known.head === head && isBeginning(known.messages, messages);
  const hash = isKnown ? known.hash.copy() : createHash('sha256').update(head);
  const settled = Math.max(messages.length - UNSETTLED, isKnown ? known.messages.length : 0);
  const slices = new Slices();
  for (let at = isKnown ? known.messages.length : 0; at < messages.length; at += 1) {
    if (owner && at === settled)
      BEGINNINGS.set(owner, { head, messages: messages.slice(0, at), hash: hash.copy() });
    if (at > 0) hash.update(',');
    for (const piece of await jsonPieces(messages[at])) hash.update(piece);
    if (slices.isOver) await slices.next();
  }
  return hash.update(tail).digest('hex');
};

/** Returns the JSON text of a request before and behind the items of its history. */
const aroundMessages = (request: AnthropicRequest): readonly [head: string, tail: string] => {
  const members = Object.entries(request);
  const at = members.findIndex(([name]) => name === 'messages');
  const before = JSON.stringify(Object.fromEntries(members.slice(0, at)));
  const behind = JSON.stringify(Object.fromEntries(members.slice(at + 1)));
  const comma = (text: string): string => (text === '{}' ? '' : ',');
  return [`${before.slice(0, -1)}${comma(before)}"messages":[`, `]${comma(behind)}${behind.slice(1)}`];
};

const isBeginning = (known: readonly AnthropicMessage[], messages: readonly AnthropicMessage[]): boolean =>
  known.length <= messages.length && known.every((one, at) => isSameMessage(one, messages[at]));

/** Most messages are made of the blocks of the session. */
const isSameMessage = (a: AnthropicMessage, b: AnthropicMessage | undefined): boolean =>
  a === b || (a.role === b?.role && isSameList(a.content, b.content)) || hasSameText(a, b);

/** Whether two values have the same JSON text. Most parts of a history are the same objects in every request. */
const hasSameText = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  const [values, rest] = [Object.values(a), Object.values(b)];
  return (
    names.length === others.length &&
    names.every((name, at) => name === others[at] && hasSameText(values[at], rest[at]))
  );
};
