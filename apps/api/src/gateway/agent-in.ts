/** Agent programs by the prefix of their user agent. Imports of their transcripts use the same names. */
const AGENTS: readonly (readonly [userAgent: RegExp, agent: string])[] = [
  [/^claude-(?:cli|code)\//i, 'claude-code'],
  [/^codex[-_][a-z_-]+\//i, 'codex'],
  [/^opencode\//i, 'opencode'],
  [/^openhands\//i, 'openhands'],
];

/** Returns the program that a user agent names; `undefined` for others, such as the SDK of a provider. */
export const agentIn = (userAgent: string | undefined): string | undefined =>
  AGENTS.find(([pattern]) => userAgent !== undefined && pattern.test(userAgent))?.[1];
