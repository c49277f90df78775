import type { JsonObject } from '@app/kernel';
import { type Message, type ToolUseBlock, toolCallsOf } from '../message/index.js';
import type { FileOperations } from '../session/events.js';

/** More paths than this are not carried from compaction to compaction; the oldest go first. */
const PATHS_MAX = 500;
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file', 'filename', 'file'];
const CHANGES = /write|edit|create|replace|patch|insert|update|delete|remove|rename|move|save/i;
const READS = /read|view|open|cat|show/i;

export const NO_FILE_OPERATIONS: FileOperations = { read: [], modified: [] };

/** Files that the tool calls of `messages` read and changed, after those known before. */
export const fileOperationsOf = (messages: readonly Message[], before: FileOperations): FileOperations => {
  const read = new Set(before.read);
  const modified = new Set(before.modified);
  for (const call of messages.flatMap((message) => toolCallsOf(message))) {
    const path = pathOf(call.input);
    const kind = path && kindOf(call);
    if (!path || !kind) continue;
    const paths = kind === 'modified' ? modified : read;
    paths.delete(path); // The newest operation on a file counts.
    paths.add(path);
  }
  return {
    read: [...read].filter((path) => !modified.has(path)).slice(-PATHS_MAX),
    modified: [...modified].slice(-PATHS_MAX),
  };
};

const pathOf = (input: JsonObject): string | undefined => {
  const values = PATH_FIELDS.map((field) => input[field]);
  const path = values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
  return path && path.length <= 1_000 && !path.includes('\n') ? path : undefined;
};

/** What a call does to the file that it names: by its `command` where the tool has several, else by its name. */
const kindOf = ({ name, input }: ToolUseBlock): 'read' | 'modified' | undefined => {
  const verb = typeof input.command === 'string' && /^\w+$/.test(input.command) ? input.command : name;
  if (CHANGES.test(verb)) return 'modified';
  return READS.test(verb) ? 'read' : undefined;
};
