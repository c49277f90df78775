import { SessionStore } from '@app/application';
import { compose, manifestOf } from '@app/domain';
import { openTranscript, type TranscriptItem } from '@app/formats';
import { AppError, SessionId, TenantId } from '@app/kernel';
import { openApplication } from '../application/open-application.js';
import { caller, recordedEvents } from '../application/play-session.js';
import { openMemoryLog } from '../log/open-memory-log.js';
import { chunksOf } from '../read-transcript.js';
import { itemFaults } from './item-faults.js';
import type { Random } from './mutate.js';

const CHUNKS = [1_000, 4_096, 100_000];

/** Returns faults of reading an arbitrary file: empty if it is rejected, or its items are valid. */
export const readingFaults = async (bytes: Buffer, random: Random): Promise<readonly string[]> => {
  const chunkBytes = CHUNKS[Math.floor(random() * CHUNKS.length)] ?? 1_000;
  const limits = random() < 0.5 ? {} : { wholeBytesMax: 2_000, partBytes: 500 };
  const items: TranscriptItem[] = [];
  try {
    const opened = await openTranscript(chunksOf(bytes, chunkBytes), { name: 'fuzz.jsonl', ...limits });
    for await (const item of opened.items) items.push(item);
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code))
      return items.length > 0 ? ['refused amid its items'] : [];
    throw error;
  }
  return itemFaults(items);
};
const REFUSALS = new Set(['unknown-format', 'nothing-to-import']);

/**
 * Returns faults of a log after importing an arbitrary file twice: each session must be intact, and unchanged by the
 * second import.
 */
export const importingFaults = async (bytes: Buffer): Promise<readonly string[]> => {
  const application = openApplication(openMemoryLog());
  const tenant = TenantId('fuzz');
  const importOnce = async (): Promise<readonly string[]> => {
    const { format, items } = await openTranscript(chunksOf(bytes, 100_000), { name: 'fuzz.jsonl' });
    const options = { tenant, profile: 'core', window: 1_000_000 };
    const { sessions } = await application.importer.import(format, items, options, caller);
    return sessions.map(({ session }) => session);
  };
  try {
    const sessions = await importOnce();
    const faults: string[] = [];
    const lengths = new Map<string, number>();
    for (const session of sessions) {
      const events = await recordedEvents(application.log, { tenant, session: SessionId(session) });
      lengths.set(session, events.length);
      // As another process reads it: from the log only.
      const { state } = await new SessionStore(application.log).load({ tenant, session: SessionId(session) });
      if (state.status !== 'open') faults.push('a session that is not open');
      else faults.push(...WIRES.flatMap((wire) => compose(manifestOf(state), wire).violations.map(String)));
    }
    await importOnce();
    for (const session of sessions) {
      const events = await recordedEvents(application.log, { tenant, session: SessionId(session) });
      if (events.length !== lengths.get(session)) faults.push('a second import that brought something in');
    }
    return faults;
  } catch (error) {
    if (error instanceof AppError && (REFUSALS.has(error.code) || ACCEPTED.has(error.code))) return [];
    throw error;
  }
};
const WIRES = ['anthropic', 'openai-chat'] as const;
/** Errors of a session for invalid file content, of which nothing is recorded. */
const ACCEPTED = new Set(['append-too-large', 'invalid-message']);
