import type { Profile } from './profile.js';

/** Tools that hand an agent its instructions for a task, by the names that the supported agents use. */
const SKILL_TOOLS = ['skill', 'activate_skill'] as const;

/**
 * Tools that read or search files, by the names that the supported agents use. An agent whose reading is stored aside
 * reads the same file again, so `offload-results` spares them. Agents that read through a shell (Codex) have no name to
 * spare.
 */
const READING_TOOLS = [
  // Claude Code; OpenCode and pi write the same names in lower case.
  ...['Read', 'NotebookRead', 'Glob', 'Grep', 'LS', 'list', 'find'],
  // Gemini CLI.
  ...['read_file', 'read_many_files', 'list_directory', 'search_file_content', 'grep_search'],
  // Copilot CLI, OpenHands and SWE-agent: an editor whose one verb is to view a file.
  ...['view', 'rg', 'str_replace_editor', 'str_replace_based_edit_tool', 'file_editor'],
  // SWE-agent.
  ...['open', 'goto', 'scroll_up', 'scroll_down', 'search_file', 'search_dir', 'find_file'],
  // Codex, beside its shell.
  ...['list_dir', 'grep_files'],
  // The file server of the Model Context Protocol.
  ...['read_text_file', 'read_multiple_files', 'search_files', 'directory_tree'],
] as const;

/** The default: compacts by itself at four fifths of the window and keeps the last four turns. */
export const core: Profile = {
  name: 'core',
  description: 'Compacts automatically at 80 % of the window; the last 4 turns stay, the rest is summarized.',
  mode: 'automatic',
  warnAtShare: 0.8,
  requireAtShare: 0.95,
  blockAtShare: 0.98,
  triggerCheck: 'request',
  triggerBy: 'share',
  triggerAtShare: 0.8,
  triggerReserveTokens: 8_192,
  explicitMidTurn: 'run',
  idleAfterMinutes: 0,
  idleAtShare: 0.5,
  unknownWindow: 200_000,
  tokenCounting: 'estimate',
  providerContextManagement: 'none',
  triggerMessages: 0,
  triggerTurns: 0,
  triggerToolCalls: 0,
  triggerMinutes: 0,
  perModel: [],
  keepBy: 'turns',
  keepRecentTurns: 4,
  keepRecentTokens: 16_384,
  protection: 'yields',
  targetShare: 0.6,
  maxRemainingShare: 0.9,
  maxOutputTokens: 8_192,
  maxOutputShare: 0.2,
  maxSummaryTokens: 8_000,
  maxSummaryShare: 0.1,
  minOutputTokens: 1_024,
  minOutputShare: 0.01,
  stages: ['summarize'],
  exemptTools: SKILL_TOOLS,
  maxResultTokens: 12_000,
  maxResultTokensPerMessage: 50_000,
  previewTokens: 500,
  viewAtShare: 0.6,
  snipKeepSteps: 40,
  microKeepResults: 8,
  pruneKeepTokens: 40_000,
  pruneMinGainTokens: 20_000,
  pruneKeepTurns: 2,
  offloadExemptTools: READING_TOOLS,
  offloadExemptMaxShare: 0.25,
  viewKeepShare: 0.3,
  snipKeepTurns: 8,
  recall: false,
  toolOutputs: 'summarized',
  reasoning: 'summarize',
  summarizer: 'default',
  summaryInput: 'transcript',
  hybrid: true,
  nativeCompaction: false,
  unverifiedQuotes: 'flag',
  factList: false,
  keepUserMessageTokens: 0,
  maxAttempts: 3,
  prompt: 'default',
  reinject: ['plan', 'skills', 'files'],
  reinjectFiles: ['*'],
  maxReinjectTokens: 0,
  autoContinue: false,
  breakerFailures: 3,
  breakerCooldownTurns: 5,
  breakerCooldownMinutes: 30,
  ladder: 'on',
};
