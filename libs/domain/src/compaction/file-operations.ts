import type { Json, JsonObject } from '@app/kernel';
import { isToolUse, type Message, type ToolUseBlock } from '../message/index.js';
import type { FileOperations } from '../session/events.js';

/** More paths than this are not carried from compaction to compaction; the oldest go first. */
const PATHS_MAX = 500;
const CHANGES = /write|edit|create|replace|patch|insert|update|delete|remove|rename|move|save/i;
const READS = /read|view|open|cat|show/i;

export const NO_FILE_OPERATIONS: FileOperations = { read: [], modified: [] };

/** Files that the tool calls of `entries` read and changed, after those known before. */
export const fileOperationsOf = (
  entries: readonly { readonly message: Message }[],
  before: FileOperations,
): FileOperations => {
  // From the newest on: the newest operation on a file counts, and is the only one that has to be remembered.
  const read = new Set<string>();
  const modified = new Set<string>();
  const kindOf = kindsByVerb();
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const message = entries[at]?.message;
    if (message?.role !== 'assistant') continue;
    for (let place = message.blocks.length - 1; place >= 0; place -= 1) {
      const block = message.blocks[place];
      if (!block || !isToolUse(block)) continue;
      const kind = kindOf(verbOf(block));
      const path = kind === 'neither' ? undefined : pathOf(block.input);
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

/** The first of the members that name a path, as tools call them. */
const pathOf = (input: JsonObject): string | undefined => {
  const path =
    textIn(input.file_path) ??
    textIn(input.filePath) ??
    textIn(input.path) ??
    textIn(input.notebook_path) ??
    textIn(input.target_file) ??
    textIn(input.filename) ??
    textIn(input.file);
  return path !== undefined && path.length <= 1_000 && !path.includes('\n') ? path : undefined;
};
const textIn = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** What a call does is said by its `command` where the tool has several, else by its name. */
const verbOf = ({ name, input }: ToolUseBlock): string =>
  typeof input.command === 'string' && /^\w+$/.test(input.command) ? input.command : name;

type Kind = 'read' | 'modified' | 'neither';

/** What a verb does to the file that its call names; the few that a session has are looked at once each. */
const kindsByVerb = (): ((verb: string) => Kind) => {
  const known = new Map<string, Kind>();
  return (verb) => {
    const seen = known.get(verb);
    if (seen) return seen;
    const kind = CHANGES.test(verb) ? 'modified' : READS.test(verb) ? 'read' : 'neither';
    known.set(verb, kind);
    return kind;
  };
};
