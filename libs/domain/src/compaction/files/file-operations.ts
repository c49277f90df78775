import type { Json } from '@app/kernel';
import {
  isToolResult,
  isToolUse,
  type Message,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../message/index.js';
import type { FileOperations, RenamedFile } from '../../session/events.js';
import { commandIn, pathIn, shellFilesOf, VERB } from './shell-files.js';

/** More paths than this are not carried from compaction to compaction; the oldest go first. */
const PATHS_MAX = 500;
const DELETES = /^(?:delete|remove|unlink)(?:_?files?)?$|delete_?file|remove_?file/i;
const CHANGES = /write|edit|create|replace|patch|insert|update|delete|remove|rename|move|save/i;
const READS = /read|view|open|cat|show/i;

export const NO_FILE_OPERATIONS: FileOperations = { read: [], modified: [] };

/** Messages, each inside any record. */
type Placed = readonly { readonly message: Message }[];

/** The newest operation on each file; `gone` files were deleted or renamed. */
type Found = {
  readonly read: Set<string>;
  readonly modified: Set<string>;
  readonly gone: Map<string, RenamedFile | 'deleted'>;
};

const addModified = (path: string, { modified, gone }: Found): void => {
  if (!gone.has(path)) modified.add(path);
};
const addGone = (path: string, how: RenamedFile | 'deleted', { modified, gone }: Found): void => {
  if (!modified.has(path) && !gone.has(path)) gone.set(path, how);
};

/**
 * Returns the files that tool calls of `entries` read, changed, deleted and renamed, merged into earlier operations.
 * A rejected call does not count; a failed shell line does, because its commands before the failure were executed.
 */
export const fileOperationsOf = (entries: Placed, before: FileOperations): FileOperations => {
  // From the newest on: the newest operation on a file counts, and is the only one that has to be remembered.
  const found: Found = { read: new Set(), modified: new Set(), gone: new Map() };
  const kindOf = kindsByVerb();
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const message = entries[at]?.message;
    if (message?.role !== 'assistant') continue;
    for (let place = message.blocks.length - 1; place >= 0; place -= 1) {
      const call = message.blocks[place];
      if (!call || !isToolUse(call)) continue;
      const path = namedPath(call);
      if (path === undefined) addTold(call, entries, at, found);
      else {
        const kind = kindOf(verbOf(call));
        // A newer operation on the file is known.
        if (kind === 'neither' || found.gone.has(path) || found.modified.has(path)) continue;
        if (kind === 'read' && found.read.has(path)) continue;
        const answer = answerTo(call, entries, at);
        if (answer && isRefused(answer)) continue;
        if (kind === 'read') found.read.add(path);
        else if (kind === 'deleted') addGone(path, 'deleted', found);
        else addModified(path, found);
      }
    }
  }
  addFiles(before, found);
  const { read, modified, gone } = found;
  const deleted = newestLast(new Set([...gone].flatMap(([path, how]) => (how === 'deleted' ? [path] : []))));
  const renamed = [...gone.values()].filter((how) => how !== 'deleted').slice(0, PATHS_MAX);
  return {
    read: newestLast(read, modified, gone),
    modified: newestLast(modified),
    ...(deleted.length > 0 && { deleted }),
    ...(renamed.length > 0 && { renamed: renamed.reverse() }),
  };
};

/** Adds operations that are older than the known ones. */
const addFiles = ({ read, modified, deleted = [], renamed = [] }: FileOperations, to: Found): void => {
  for (const path of read.toReversed()) to.read.add(path);
  for (const path of modified.toReversed()) addModified(path, to);
  for (const path of deleted.toReversed()) addGone(path, 'deleted', to);
  for (const one of renamed.toReversed()) addGone(one.from, one, to);
};

/** Returns the result of a call of the message at `at`, which precedes the next assistant message. */
const answerTo = ({ id }: ToolUseBlock, entries: Placed, at: number): ToolResultBlock | undefined => {
  for (let next = at + 1; next < entries.length; next += 1) {
    const message = entries[next]?.message;
    if (!message || message.role === 'assistant') return undefined;
    for (let place = 0; place < message.blocks.length; place += 1) {
      const block = message.blocks[place];
      if (block && isToolResult(block) && block.tool_use_id === id) return block;
    }
  }
  return undefined;
};

const addTold = (call: ToolUseBlock, entries: Placed, at: number, to: Found): void => {
  const callFiles = callFilesOf(call);
  if (!callFiles) return;
  const answer = callFiles.isShellLine ? undefined : answerTo(call, entries, at);
  if (answer && isRefused(answer)) return;
  addFiles(withOpenFile(callFiles, answer), to);
};

/** Returns the file operations of one call in its order, regardless of the result. */
export const filesOfCall = (call: ToolUseBlock, answer: ToolResultBlock | undefined): FileOperations => {
  const path = namedPath(call);
  if (path === undefined) return withOpenFile(callFilesOf(call) ?? NO_CALL_FILES, answer);
  const kind = kindOfVerb(verbOf(call));
  return kind === 'neither' ? NO_FILE_OPERATIONS : { ...NO_FILE_OPERATIONS, [kind]: [path] };
};

/** File operations of a call without a file field. */
type CallFiles = FileOperations & { readonly isShellLine: boolean; readonly editsOpenFile: boolean };
const NO_CALL_FILES: CallFiles = { ...NO_FILE_OPERATIONS, isShellLine: false, editsOpenFile: false };

const withOpenFile = (
  { isShellLine: _, editsOpenFile, ...files }: CallFiles,
  answer?: ToolResultBlock,
): FileOperations => {
  const open = editsOpenFile && answer ? openFileIn(answer) : undefined;
  return open === undefined ? files : { ...files, modified: [...files.modified, open] };
};

/** Caches patches and shell lines by call, because a call never changes. */
const known = new WeakMap<ToolUseBlock, CallFiles | null>();

/** Returns `undefined` for a call without file operations. */
const callFilesOf = (call: ToolUseBlock): CallFiles | undefined => {
  const before = known.get(call);
  if (before !== undefined) return before ?? undefined;
  const told = readTold(call);
  const { read, modified, deleted = [], renamed = [], editsOpenFile } = told;
  const isEmpty = read.length + modified.length + deleted.length + renamed.length === 0 && !editsOpenFile;
  known.set(call, isEmpty ? null : told);
  return isEmpty ? undefined : told;
};

const readTold = (call: ToolUseBlock): CallFiles => {
  const patched = patchedIn(call.input);
  if (patched) return { ...NO_CALL_FILES, ...patched };
  const line = commandIn(call.input);
  if (line !== undefined) {
    const { read, modified, deleted, renamed } = shellFilesOf(line);
    const gone = { ...(deleted.length > 0 && { deleted }), ...(renamed.length > 0 && { renamed }) };
    return { ...NO_CALL_FILES, read, modified, ...gone, isShellLine: true };
  }
  return { ...NO_CALL_FILES, editsOpenFile: kindOfVerb(verbOf(call)) === 'modified' };
};

/** Initial text of an editing tool's result without a change, if it is not flagged as an error. */
const REFUSED =
  /^\s{0,20}(?:<tool_use_error>|error(?:\s*:| executing | calling )|No replacement was performed|apply_patch verification failed|Your proposed edit has introduced)/i;
/** Returns whether a tool reports that it did not execute the call. */
export const isRefused = (answer: ToolResultBlock): boolean =>
  answer.is_error === true || saysRefused(beginningOf(answer));

/** Initial characters of all rejection texts: a cheap filter, because most results start otherwise. */
const REFUSED_INITIALS = ' \t\r\n<ENAYenay';
const saysRefused = (text: string): boolean =>
  REFUSED_INITIALS.includes(text.charAt(0)) && REFUSED.test(text);

/** Returns the beginning of a result. A text is returned whole, which costs nothing. */
const beginningOf = (answer: ToolResultBlock): string =>
  typeof answer.content === 'string' ? answer.content : resultText(answer).slice(0, 200);

/** The open file in the result of an editor, whose calls name no file. */
const OPEN_FILE = /^\[File: (\S[^\n]{0,999}?) \(\d+ lines total\)\]/m;
const openFileIn = (answer: ToolResultBlock): string | undefined =>
  OPEN_FILE.exec(resultText(answer).slice(0, 1_000))?.[1];

const PATCH_BEGINS = '*** Begin Patch';
const PATCHED = /^\*\*\* (Update File|Add File|Delete File|Move to): (\S[^\r\n]{0,999})$/gm;
/** Finds a patch in any argument, alone or after a shell command: it names its own files. */
const patchedIn = (value: Json | undefined): FileOperations | undefined => {
  const texts = patchesIn(value);
  if (texts.length === 0) return undefined;
  const modified: string[] = [];
  const deleted: string[] = [];
  const renamed: RenamedFile[] = [];
  for (const [, verb, named = ''] of texts.flatMap((text) => [...text.matchAll(PATCHED)])) {
    const path = named.trim();
    const from = verb === 'Move to' ? modified.pop() : undefined;
    if (from !== undefined) renamed.push({ from, to: path });
    (verb === 'Delete File' ? deleted : modified).push(path);
  }
  if (modified.length + deleted.length === 0) return undefined;
  return {
    ...NO_FILE_OPERATIONS,
    modified,
    ...(deleted.length > 0 && { deleted }),
    ...(renamed.length > 0 && { renamed }),
  };
};

const patchesIn = (value: Json | undefined): readonly string[] => {
  if (typeof value === 'string') return value.includes(PATCH_BEGINS) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => patchesIn(member));
};

/** The path that a call names by a member, unless it runs a shell line. */
const namedPath = ({ input }: ToolUseBlock): string | undefined =>
  commandIn(input) === undefined ? pathIn(input) : undefined;

/** Returns the newest of `newestFirst` up to the limit, without those in `others`. */
const newestLast = (
  newestFirst: ReadonlySet<string>,
  ...others: readonly { has(path: string): boolean }[]
): readonly string[] => {
  const paths: string[] = [];
  for (const path of newestFirst) {
    if (paths.length === PATHS_MAX) break;
    if (!others.some((other) => other.has(path))) paths.push(path);
  }
  return paths.reverse();
};

/** Returns the `command` of a tool with several, else the tool's name. */
const verbOf = ({ name, input }: ToolUseBlock): string =>
  typeof input.command === 'string' && VERB.test(input.command) ? input.command : name;

type Kind = 'read' | 'modified' | 'deleted' | 'neither';

/** Returns the operation that a verb performs on the file of its call. */
const kindOfVerb = (verb: string): Kind =>
  DELETES.test(verb) ? 'deleted' : CHANGES.test(verb) ? 'modified' : READS.test(verb) ? 'read' : 'neither';

/** Caches kinds by verb. */
const kindsByVerb = (): typeof kindOfVerb => {
  const kinds = new Map<string, Kind>();
  return (verb) => {
    const seen = kinds.get(verb);
    if (seen) return seen;
    const kind = kindOfVerb(verb);
    kinds.set(verb, kind);
    return kind;
  };
};
