import { createHash } from 'node:crypto';
import {
  openTranscript,
  type TranscriptFormat,
  type TranscriptItem,
  type TranscriptMessage,
  type TranscriptSession,
} from '@app/formats';

export type ReadTranscript = {
  readonly format: TranscriptFormat;
  readonly items: readonly TranscriptItem[];
  readonly sessions: readonly TranscriptSession[];
  /** Messages of all sessions, in the order of the items. */
  readonly messages: readonly TranscriptMessage[];
  readonly skipped: readonly number[];
};

type ReadTranscriptOptions = {
  readonly name?: string;
  readonly chunkBytes?: number;
  readonly wholeBytesMax?: number;
  readonly partBytes?: number;
};

/** Reads a transcript from text or bytes, in chunks of `chunkBytes`. */
export const readTranscript = async (
  content: string | Uint8Array,
  { name = 'some.jsonl', chunkBytes = 7, ...limits }: ReadTranscriptOptions = {},
): Promise<ReadTranscript> => {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const options = { name, digest: sha256, ...limits };
  const { format, items: opened } = await openTranscript(chunksOf(bytes, chunkBytes), options);
  const items: TranscriptItem[] = [];
  for await (const item of opened) items.push(item);
  return {
    format,
    items,
    sessions: items.flatMap((item) => (item.kind === 'session' ? [item.session] : [])),
    messages: items.flatMap((item) => (item.kind === 'message' ? [item.message] : [])),
    skipped: items.flatMap((item) => (item.kind === 'skipped' ? [item.line] : [])),
  };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
}

/** Returns one record per line. */
export const linesOf = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
