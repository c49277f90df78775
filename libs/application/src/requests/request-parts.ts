import { createHash } from 'node:crypto';
import type { ClientForm, HashedText, Message, OpenSession, PartDigests, RequestParts } from '@app/domain';
import type { Origin } from '@app/formats';
import { Attached, type MessageId, Slices } from '@app/kernel';
import { sha256InSlices } from '@app/ports';

/** Returns a text with its SHA-256, hexadecimal. */
export const hashed = (text: string): HashedText => ({ digest: sha256(text), text });

/** Characters of a body that is hashed at once, in about a millisecond. */
const AT_ONCE_MAX = 1_048_576;

/** Returns the SHA-256 of a request's body (a text, or its UTF-8 bytes), hexadecimal; yields to the event loop for a long one. */
export const bodyDigest = async (body: string | Buffer): Promise<string> =>
  body.length <= AT_ONCE_MAX ? sha256(body) : (await sha256InSlices(Buffer.from(body))).toString('hex');

/** Returns the same digest of a body in pieces, none of which ends within a surrogate pair. */
export const piecesDigest = async (pieces: readonly string[]): Promise<string> => {
  const hash = createHash('sha256');
  const slices = new Slices();
  for (const piece of pieces) {
    if (slices.isOver) await slices.next();
    hash.update(piece);
  }
  return hash.digest('hex');
};

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Returns the digests of the parts in force; with `client`, also that of the client's data around its history. */
export const partDigests = (
  { parts }: OpenSession,
  given: RequestParts['contributions'],
  client?: ClientForm,
): PartDigests => ({
  systemPrompt: sha256(parts.systemPrompt),
  tools: toolsDigest(parts.tools),
  ...(given.length > 0 && { contributions: contributionsDigest(given) }),
  ...(client && { client: clientDigest(client) }),
});

/** Digests of tool definitions, which rarely change and are hashed for every request. */
const toolsDigests = new WeakMap<RequestParts['tools'], string>();

const toolsDigest = (tools: RequestParts['tools']): string => {
  const digest = toolsDigests.get(tools) ?? sha256(JSON.stringify(tools));
  toolsDigests.set(tools, digest);
  return digest;
};

export const contributionsDigest = (given: RequestParts['contributions']): string =>
  sha256(JSON.stringify(given));

/** Separates the parts with a character that cannot occur in JSON. */
const clientDigest = ({ before, separator, after }: ClientForm): string =>
  sha256([before, separator, after].join('\u0000'));

/** Labels of gateway sessions: the API that the client uses, and how it sends its system prompt. */
export const WIRE_LABEL = 'gateway';
export const SYSTEM_LABEL = 'gateway-system';

/** Returns the input of a session's manifest; `news` are messages that are not in the session yet. */
export const originOf = (session: OpenSession, news: readonly Message[] = []): Origin => {
  const known = news.length === 0 ? ORIGINS.get(session.entries) : undefined;
  const isComplete = session.entries.length === session.messages;
  if (known?.isComplete === isComplete) return known;
  const messages = new Map<MessageId, Message>();
  for (const { message } of session.entries) messages.set(message.id, message);
  for (const message of news) messages.set(message.id, message);
  const origin = { messages, isComplete };
  if (news.length === 0) ORIGINS.set(session.entries, origin);
  return origin;
};
/** Origins of sessions, of which a request needs several. */
const ORIGINS = new Attached<OpenSession['entries'], Origin>();
