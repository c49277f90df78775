/** Tools that hand an agent its instructions for a task, by the names that the supported agents use. */
export const SKILL_TOOLS = ['skill', 'activate_skill'] as const;

/**
 * Tools that read or search files, by the names that the supported agents use. An agent whose reading is stored aside
 * reads the same file again, so `offload-results` spares them. Agents that read through a shell (Codex) have no name to
 * spare.
 */
export const READING_TOOLS = [
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
