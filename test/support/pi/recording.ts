import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '@app/kernel';

const FOLDER = resolve(process.env.PALIMPSEST_TRANSCRIPTS ?? '../shared/transcripts', 'pi');

/** Paths of pi's recorded sessions; none if they are missing. */
export const PI_FILES: readonly string[] = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((file) => file.endsWith('.jsonl'))
      .sort()
      .map((file) => join(FOLDER, file))
  : [];

/** A compaction recorded by pi: the messages before it, the first retained one, and its file lists. */
type RecordedCompaction = {
  /** Messages of the branch before it, from the boundary of the previous compaction on. */
  readonly records: readonly JsonObject[];
  /** Its index in `records`. */
  readonly firstKept: number;
  readonly previousFiles: FileLists;
  readonly files: FileLists | undefined;
};
export type FileLists = { readonly read: readonly string[]; readonly modified: readonly string[] };

/** The message records of a session's final branch, and its compactions. */
export type Recording = {
  readonly records: readonly JsonObject[];
  readonly compactions: readonly RecordedCompaction[];
};

export const readRecording = (path: string): Recording => recordingOf(readFileSync(path, 'utf8'));

export const recordingOf = (lines: string): Recording => {
  const branch = branchOf(lines.split('\n').flatMap(parsed));
  return {
    records: branch.filter(isMessage),
    compactions: branch.flatMap((record, at) =>
      record.type === 'compaction' ? [compactionAt(branch, at)] : [],
    ),
  };
};

/** Follows parent ids from the last record to the first; returns all records in order if they have none. */
const branchOf = (records: readonly JsonObject[]): readonly JsonObject[] => {
  const byId = new Map(records.flatMap((record) => (record.id === undefined ? [] : [[record.id, record]])));
  const last = records.at(-1);
  if (!last || last.parentId === undefined) return records;
  const branch: JsonObject[] = [];
  for (let record: JsonObject | undefined = last; record; record = byId.get(record.parentId ?? null)) {
    branch.push(record);
  }
  return branch.reverse();
};

const compactionAt = (branch: readonly JsonObject[], at: number): RecordedCompaction => {
  const record = branch[at] ?? {};
  const earlier = branch.slice(0, at);
  const previous = earlier.findLast(({ type }) => type === 'compaction');
  const boundary = previous ? earlier.findIndex(({ id }) => id === previous.firstKeptEntryId) : 0;
  const inView = earlier.slice(Math.max(0, boundary));
  const kept = inView.findIndex(({ id }) => id === record.firstKeptEntryId);
  return {
    records: inView.filter(isMessage),
    firstKept: inView.slice(0, kept).filter(isMessage).length,
    previousFiles: filesOf(previous) ?? { read: [], modified: [] },
    files: filesOf(record),
  };
};

const filesOf = (record: JsonObject | undefined): FileLists | undefined => {
  const details = record?.details;
  if (!isJsonObject(details) || record?.fromHook === true) return undefined;
  return { read: textsIn(details.readFiles), modified: textsIn(details.modifiedFiles) };
};

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const isMessage = ({ type }: JsonObject): boolean => type === 'message';

const parsed = (line: string): JsonObject[] => {
  if (line.trim() === '') return [];
  const record: unknown = JSON.parse(line);
  return isJsonObject(record) ? [record] : [];
};
