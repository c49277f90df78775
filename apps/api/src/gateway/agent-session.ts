import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, ownMember, parseJsonObject, SessionId } from '@app/kernel';

/** Headers with the agent's own session ID: of Claude Code, OpenCode and pi. */
const HEADERS = ['x-claude-code-session-id', 'x-session-id', 'session_id', 'session-id'] as const;

/**
 * Returns the ID that an agent has for its session; `undefined` if it sends none that is valid here.
 *
 * Agents send the same ID with requests of other conversations, such as for titles. Those have no tools, so they do not get the
 * name; Codex tells its conversations apart itself, and sends its tools as messages.
 */
export const agentSessionIn = (headers: IncomingHttpHeaders, body: JsonObject): SessionId | undefined => {
  const { prompt_cache_key: cacheKey, client_metadata: codex, metadata, tools } = body;
  const ofCodex = memberOf(codex, 'thread_id') ?? memberOf(codex, 'session_id');
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const others = [
    ...HEADERS.map((name) => headers[name]),
    claudeSession(memberOf(metadata, 'user_id')),
    cacheKey,
  ];
  for (const id of [ofCodex, ...(hasTools ? others : [])]) {
    const valid = typeof id === 'string' ? sessionIdOf(id) : undefined;
    if (valid !== undefined) return valid;
  }
  return undefined;
};

const memberOf = (value: unknown, name: string): unknown =>
  isJsonObject(value) ? ownMember(value, name) : undefined;

/** In the `user_id` of Claude Code: a JSON object, or of earlier versions `…_session_ID`. */
const claudeSession = (userId: unknown): unknown => {
  if (typeof userId !== 'string') return undefined;
  return parseJsonObject(userId)?.session_id ?? /_session_([\w-]+)$/.exec(userId)?.[1];
};

/** IDs that leave room for the suffix of a fork. */
const ID_MAX = 80;

const sessionIdOf = (id: string): SessionId | undefined => {
  if (id.length < 8 || id.length > ID_MAX) return undefined;
  try {
    return SessionId(id);
  } catch {
    return undefined;
  }
};
