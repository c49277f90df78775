import type { JsonObject } from '@app/kernel';
import { isToolUse, type Message, type ToolUseBlock } from '../message/index.js';
import type { FileOperations } from '../session/events.js';

/** More paths than this are not carried from compaction to compaction; the oldest go first. */
const PATHS_MAX = 500;
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file', 'filename', 'file'];
const CHANGES = /write|edit|create|replace|patch|insert|update|delete|remove|rename|move|save/i;
const READS = /read|view|open|cat|show/i;

export const NO_FILE_OPERATIONS: FileOperations = { read: [], modified: [] };

/** Files that the tool calls of `messages` read and changed, after those known before. */
export const fileOperationsOf = (messages: readonly Message[], before: FileOperations): FileOperations => {
  // From the newest on: the newest operation on a file counts, and is the only one that has to be remembered.
  const read = new Set<string>();
  const modified = new Set<string>();
  const kindOf = kindsByVerb();
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'assistant') continue;
    for (let place = message.blocks.length - 1; place >= 0; place -= 1) {
      const block = message.blocks[place];
      if (!block || !isToolUse(block)) continue;
      const kind = kindOf(verbOf(block));
      const path = kind && pathOf(block.input);
      if (path) (kind === 'modified' ? modified : read).add(path);
    }
  }
  for (const path of before.read.toReversed()) read.add(path);
  for (const path of before.modified.toReversed()) modified.add(path);
  const onlyRead = [...read].filter((path) => !modified.has(path));
  return { read: newestLast(onlyRead), modified: newestLast([...modified]) };
};

const newestLast = (newestFirst: readonly string[]): readonly string[] =>
  newestFirst.slice(0, PATHS_MAX).reverse();

const pathOf = (input: JsonObject): string | undefined => {
  for (const field of PATH_FIELDS) {
    const path = input[field];
    if (typeof path !== 'string' || path.trim() === '') continue;
    return path.length <= 1_000 && !path.includes('\n') ? path : undefined;
  }
  return undefined;
};

/** What a call does is said by its `command` where the tool has several, else by its name. */
const verbOf = ({ name, input }: ToolUseBlock): string =>
  typeof input.command === 'string' && /^\w+$/.test(input.command) ? input.command : name;

type Kind = 'read' | 'modified';

/** What a verb does to the file that its call names; the few that a session has are looked at once each. */
const kindsByVerb = (): ((verb: string) => Kind | undefined) => {
  const known = new Map<string, Kind | undefined>();
  return (verb) => {
    if (!known.has(verb)) {
      known.set(verb, CHANGES.test(verb) ? 'modified' : READS.test(verb) ? 'read' : undefined);
    }
    return known.get(verb);
  };
};
