import type { Json, JsonObject } from '@app/kernel';
import {
  isToolResult,
  isToolUse,
  type Message,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message/index.js';
import type { FileOperations } from '../../session/events.js';
import { shellFilesOf } from './shell-files.js';

/** More paths than this are not carried from compaction to compaction; the oldest go first. */
const PATHS_MAX = 500;
const CHANGES = /write|edit|create|replace|patch|insert|update|delete|remove|rename|move|save/i;
const READS = /read|view|open|cat|show/i;

export const NO_FILE_OPERATIONS: FileOperations = { read: [], modified: [] };

/**
 * Files that the tool calls of `entries` read and changed, after those known before. What a call that failed was to do with
 * its file is not counted; a shell line is, since what it did before it failed is done.
 */
export const fileOperationsOf = (
  entries: readonly { readonly message: Message }[],
  before: FileOperations,
): FileOperations => {
  // From the newest on: the newest operation on a file counts, and is the only one that has to be remembered.
  const read = new Set<string>();
  const modified = new Set<string>();
  const answers = new Map<string, ToolResultBlock>();
  const kindOf = kindsByVerb();
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const message = entries[at]?.message;
    if (!message) continue;
    for (const block of message.blocks.toReversed()) {
      if (isToolResult(block)) answers.set(block.tool_use_id, block);
      if (message.role !== 'assistant' || !isToolUse(block)) continue;
      const answer = answers.get(block.id);
      if (answer !== undefined && isRefused(answer) && !isShellLine(block.input)) continue;
      const files = filesOf(block, answer, kindOf);
      for (const path of files.read.toReversed()) read.add(path);
      for (const path of files.modified.toReversed()) modified.add(path);
    }
  }
  for (const path of before.read.toReversed()) read.add(path);
  for (const path of before.modified.toReversed()) modified.add(path);
  const onlyRead = [...read].filter((path) => !modified.has(path));
  return { read: newestLast(onlyRead), modified: newestLast([...modified]) };
};

const NONE: FileOperations = { read: [], modified: [] };

/** The files of one call, whatever came of it, in its order. */
export const filesOfCall = (call: ToolUseBlock, answer: ToolResultBlock | undefined): FileOperations =>
  filesOf(call, answer, kindOfVerb);

/** Those of the patch or the shell line that it has, else the one that it names. */
const filesOf = (
  call: ToolUseBlock,
  answer: ToolResultBlock | undefined,
  kindOf: (verb: string) => Kind,
): FileOperations => {
  const patched = patchedIn(call.input);
  if (patched.length > 0) return { read: [], modified: patched };
  const line = shellLineOf(call.input);
  if (line !== undefined) return shellFilesOf(line);
  const kind = kindOf(verbOf(call));
  if (kind === 'neither') return NONE;
  const path = pathOf(call.input) ?? (kind === 'modified' ? openFileIn(answer) : undefined);
  return path === undefined ? NONE : { ...NONE, [kind]: [path] };
};

/** How the result of an editing tool begins that has changed nothing, where it is not flagged as an error. */
const REFUSED =
  /^\s*(?:<tool_use_error>|error(?:\s*:| executing | calling )|No replacement was performed|apply_patch verification failed|Your proposed edit has introduced)/i;
/** Whether a tool says that it did not do what it was called for. */
export const isRefused = (answer: ToolResultBlock): boolean =>
  answer.is_error === true || REFUSED.test(resultText(answer).slice(0, 200));

/** The file that an editor has open, as its result tells: its calls name none. */
const OPEN_FILE = /^\[File: (\S[^\n]{0,999}?) \(\d+ lines total\)\]/m;
const openFileIn = (answer: ToolResultBlock | undefined): string | undefined =>
  answer && OPEN_FILE.exec(resultText(answer).slice(0, 1_000))?.[1];

const PATCH_BEGINS = '*** Begin Patch';
const PATCHED = /^\*\*\* (?:Update File|Add File|Delete File|Move to): (\S[^\r\n]{0,999})$/gm;
/** A patch names its files itself, wherever it stands in a call: alone, or behind a shell command. */
const patchedIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string')
    return value.includes(PATCH_BEGINS)
      ? [...value.matchAll(PATCHED)].map(([, path = '']) => path.trim())
      : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => patchedIn(member));
};

const isShellLine = (input: JsonObject): boolean =>
  shellLineOf(input) !== undefined && patchedIn(input).length === 0;

/** A command is one string, or the words of one; a single word beside a path is the verb of a tool with several. */
const shellLineOf = (input: JsonObject): string | undefined => {
  const value = input.command ?? input.cmd;
  if (Array.isArray(value)) return textIn(value.at(-1));
  const line = textIn(value);
  return line !== undefined && VERB.test(line) && pathOf(input) !== undefined ? undefined : line;
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
const VERB = /^\w+$/;
const textIn = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** What a call does is said by its `command` where the tool has several, else by its name. */
const verbOf = ({ name, input }: ToolUseBlock): string =>
  typeof input.command === 'string' && VERB.test(input.command) ? input.command : name;

type Kind = 'read' | 'modified' | 'neither';

const kindOfVerb = (verb: string): Kind =>
  CHANGES.test(verb) ? 'modified' : READS.test(verb) ? 'read' : 'neither';

/** What a verb does to the file that its call names; the few that a session has are looked at once each. */
const kindsByVerb = (): ((verb: string) => Kind) => {
  const known = new Map<string, Kind>();
  return (verb) => {
    const seen = known.get(verb);
    if (seen) return seen;
    const kind = kindOfVerb(verb);
    known.set(verb, kind);
    return kind;
  };
};
