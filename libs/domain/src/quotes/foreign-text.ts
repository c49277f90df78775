/**
 * Tags of text that agents insert into user messages: reminders, notices, skills, instruction files, attached files,
 * and environment facts. All are taken from known agents; unknown tags are user text.
 */
const FOREIGN_TAGS: readonly string[] = [
  // Claude Code, and agents that are built like it
  ...['system-reminder', 'task-notification', 'local-command-stdout', 'local-command-stderr'],
  ...[
    'local-command-caveat',
    'command-name',
    'command-message',
    'command-contents',
    'bash-stdout',
    'bash-stderr',
  ],
  ...['ide_opened_file', 'ide_selection', 'ide_diagnostics', 'new-diagnostics', 'user-prompt-submit-hook'],
  ...['session-start-hook', 'post-tool-use-hook', 'teammate-message', 'cross-session-message'],
  ...['available-deferred-tools', 'fork-boilerplate', 'mcp-resource'],
  // Codex
  ...['environment_context', 'user_instructions', 'subagent_notification', 'agent-message', 'turn_aborted'],
  ...['skill', 'user_shell_command', 'permissions instructions', 'apps_instructions', 'skills_instructions'],
  ...[
    'plugins_instructions',
    'collaboration_mode',
    'personality_spec',
    'model_switch',
    'realtime_conversation',
  ],
  // Copilot, in the terminal and in editors
  ...['current_datetime', 'system_reminder', 'system_notification', 'sql_tables', 'tagged_files'],
  ...['skill-context', 'todo_status', 'reminderInstructions', 'environment_info', 'workspace_info'],
  ...['attachments', 'editorContext', 'repoContext', 'toReferences'],
  // Gemini CLI, and agents that are built like it
  ...['session_context', 'loaded_context', 'hook_context', 'extension_context'],
  // OpenCode, pi
  ...['skill_content', 'recent-context'],
  // OpenHands
  ...['EXTRA_INFO', 'RUNTIME_INFORMATION', 'REPOSITORY_INFO', 'REPOSITORY_INSTRUCTIONS', 'REPO_CONTEXT'],
  ...['CUSTOM_SECRETS', 'CURRENT_WORKING_DIRECTORY'],
  // Cline, and agents that are built like it; Cursor
  ...['environment_details', 'file_content', 'folder_content', 'url_content', 'explicit_instructions'],
  ...['workspace_diagnostics', 'terminal_output', 'git_working_state'],
  ...['additional_data', 'open_and_recently_viewed_files', 'attached_files', 'user_info', 'project_layout'],
  ...['manually_attached_skills', 'agent_skills', 'always_applied_workspace_rules'],
  ...['agent_requestable_workspace_rules'],
];
/** Tags of agents that people use as well: foreign only with the attribute that the agent gives them. */
const FOREIGN_WITH: ReadonlyMap<string, string> = new Map([
  ['file', 'name'],
  ['attachment', 'id'],
]);

const OPENING = new RegExp(
  `<(${[...FOREIGN_TAGS, ...FOREIGN_WITH.keys()].join('|')})((?:\\s[^<>\\n]{0,2000})?)>`,
  'g',
);

/** Tags around the user's own text. */
const MARKUP = /<\/?(?:command-args|userRequest|user_query)>/g;

/** The text that a harness inserts as the user when an answer is interrupted. */
const INTERRUPTED = /\[Request interrupted by user[^\]\n]{0,40}\]/g;

/** Matches the beginning of texts that a harness adds to the user's own: guides, skills, and files that they name. */
const ATTACHED = new RegExp(
  `^(?:${[
    '# AGENTS\\.md instructions for ',
    'Base directory for this skill: ',
    'Called the (?:Read|List) tool with the following input: ',
    '<path>[^<\\n]{1,1000}</path>\\n<type>\\w{1,20}</type>\\n',
    '<file>\\n0{0,5}1[|:]',
    'Use the above message and context to generate a prompt and call the task tool with subagent: ',
    'This is the (?:Gemini CLI|Qwen Code)\\. We are setting up the context for our chat\\.',
    '\\[ERROR\\] You did not use a tool in your previous response! Please retry with a tool use\\.',
    '\\[TASK RESUMPTION\\] This task was interrupted ',
    '(?:The following tool was executed by the user|System: Please continue\\.)$',
    'Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed\\.$',
  ].join('|')})`,
);
/** The end of a guide that user text may follow. */
const GUIDE_ENDS = '</INSTRUCTIONS>';

/** The beginning of a summary with which an agent continues after its own compaction. */
const CONTINUED = new RegExp(
  `^(?:${[
    'This session is being continued from a previous conversation',
    'Another language model started to solve this problem and produced a summary',
    'The conversation history before this point was compacted into the following summary',
    'The following is a summary of a branch that this conversation came back from',
    '<state_snapshot>',
  ].join('|')})`,
);

/** Returns whether a text is an agent's summary of the session. */
export const isSummaryText = (text: string): boolean => CONTINUED.test(text);

/** Characters at the beginning of a text that a harness has put there, by the way that it begins. */
export const leadingForeign = (text: string): number => {
  if (!ATTACHED.test(text)) return 0;
  const guide = text.indexOf(GUIDE_ENDS);
  return guide < 0 ? text.length : guide + GUIDE_ENDS.length;
};

/** A text, separated into user text and harness text. */
export type Parted = { readonly own: string; readonly foreign: readonly string[] };

/**
 * Separates harness text by its tags. A tag counts at the start of a line or directly after another one, and only if
 * it is closed; otherwise it is user text. Harness text ends at the first closing tag.
 */
export const withoutForeign = (text: string): Parted => {
  const kept: string[] = [];
  const foreign: string[] = [];
  /** Tags without a further closing tag: each is searched once, for any number of opening tags. */
  const unclosed = new Set<string>();
  let at = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const [open, tag = '', attributes = ''] = found;
    const { index } = found;
    if (unclosed.has(tag) || !beginsLine(text, at, index) || !isForeign(tag, attributes)) continue;
    const close = `</${tag}>`;
    const end = text.indexOf(close, index + open.length);
    if (end < 0) {
      unclosed.add(tag);
      continue;
    }
    kept.push(text.slice(at, index));
    at = end + close.length;
    foreign.push(text.slice(index, at));
    OPENING.lastIndex = at;
  }
  const own = [...kept, text.slice(at)].join('\n').replace(MARKUP, '\n').replace(INTERRUPTED, '');
  return { own, foreign };
};

const isForeign = (tag: string, attributes: string): boolean => {
  const needed = FOREIGN_WITH.get(tag);
  return needed === undefined || new RegExp(`\\s${needed}=`).test(attributes);
};

const BLANK = /[^\S\n\r]/;
/** Returns whether only blanks precede a position on its line, or since `from`, the end of another tag. */
const beginsLine = (text: string, from: number, index: number): boolean => {
  let before = index;
  while (before > from && BLANK.test(text[before - 1] ?? '')) before -= 1;
  return before === from || text[before - 1] === '\n' || text[before - 1] === '\r';
};
