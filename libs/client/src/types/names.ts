/** The work that a key may do. */
export type KeyRole = 'agent' | 'operator' | 'auditor' | 'admin';

/** Rights that a key may have besides its role: `content:read` shows text of users and models. */
export type KeyPermission = 'content:read' | 'retention:shorten';

/** Formats of transcripts that an import detects. */
export type TranscriptFormat =
  | 'claude-code'
  | 'pi'
  | 'codex'
  | 'opencode'
  | 'gemini-cli'
  | 'copilot-cli'
  | 'openhands'
  | 'swe-agent'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'openai-messages';
