import { setTimeout as pause } from 'node:timers/promises';
import { type LoggedEvent, PalimpsestClient } from '@app/client';
import { type Heard, readStream, receiveWebhook } from './listeners.js';
import type { Batch } from './records.js';

/** Everything that there is to say about one session, each from whom it is asked of. */
export type SessionStory = {
  readonly session: string;
  /** Records of its agent. */
  readonly batches: readonly Batch[];
  readonly log: readonly LoggedEvent[];
  /** Revisions and types of its audit rows, oldest first. */
  readonly audited: readonly { readonly revision: number; readonly type: string }[];
  /** Its row in the list of sessions. */
  readonly row:
    | { readonly revision: number; readonly messages: number; readonly compactions: number }
    | undefined;
  /** Outcomes of its compactions by the list of compactions; `null` for an open one. */
  readonly compactions: readonly (string | null)[];
  /** Events at the reader of the stream and at the receiver of the webhook. */
  readonly heard: readonly (readonly number[])[];
};

/** Reads a tenant's sessions from the service and from the listeners. */
export const storiesOf = async (
  client: PalimpsestClient,
  batches: ReadonlyMap<string, readonly Batch[]>,
  listeners: readonly Heard[],
): Promise<readonly SessionStory[]> => {
  const rows = new Map<string, NonNullable<SessionStory['row']>>();
  for await (const row of client.sessions.list({ limit: 1_000 })) rows.set(row.session, row);
  const stories: SessionStory[] = [];
  for (const [session, known] of batches) {
    const log: LoggedEvent[] = [];
    for await (const event of client.sessions.events(session)) log.push(event);
    const audited: SessionStory['audited'][number][] = [];
    const audit = client.audit.search({ session, sort: 'position', limit: 1_000 });
    for await (const { revision, type } of audit) audited.push({ revision, type });
    const compactions: (string | null)[] = [];
    for await (const { outcome } of client.audit.compactions({ session })) compactions.push(outcome);
    const heard = await Promise.all(listeners.map((one) => one.of(session, log.length)));
    stories.push({ session, batches: known, log, audited, row: rows.get(session), compactions, heard });
  }
  return stories;
};

/** Returns the number of reported model calls, by the log and by the totals of usage. */
export const callsOf = async (
  client: PalimpsestClient,
  stories: readonly SessionStory[],
): Promise<{ readonly logged: number; readonly billed: number }> => {
  const { total } = await client.audit.usage();
  const events = stories.flatMap(({ log }) => log).filter(({ type }) => type === 'UsageReported');
  return { logged: events.length, billed: total.calls };
};

/** Resolves when no compaction of the sessions is asked for or under way. */
export const untilCompacted = async (client: PalimpsestClient, sessions: Iterable<string>): Promise<void> => {
  for (const session of sessions) {
    for (;;) {
      const { compaction } = await client.sessions.get(session);
      if (compaction?.status !== 'requested') break;
      await client.compactions
        .outcome(session, compaction.compactionId, { timeoutSeconds: 10 })
        .catch(() => {});
    }
  }
};

/** Registers a tenant with wide limits, a reader of its stream, and a receiver of its webhook. */
export const registerTenant = async (
  { url, adminKey }: { readonly url: string; readonly adminKey: string },
  tenant: string,
): Promise<{
  readonly apiKey: string;
  readonly client: PalimpsestClient;
  readonly listeners: readonly Heard[];
}> => {
  const admin = new PalimpsestClient({ url, apiKey: adminKey });
  const { key: apiKey } = await admin.keys.registerTenant({ tenant, name: tenant });
  const client = new PalimpsestClient({ url, apiKey, retries: 10 });
  await client.keys.changeLimits({ requestsPerSecond: 10_000, requestsPerMinute: 300_000 });
  const listeners = [readStream(client), await receiveWebhook(client)];
  return { apiKey, client, listeners };
};

/** The service gives the same report of its health for half a second: one that is asked for later includes every event before. */
const REPORT_AGE_MAX_MS = 600;
type Health = {
  readonly status: string;
  readonly projections: readonly { readonly lag: number | null; readonly stoppedStreams: number }[];
};

/** Resolves when every event of the log is in every row. */
export const untilProjected = async (url: string): Promise<void> => {
  for (;;) {
    await pause(REPORT_AGE_MAX_MS);
    const response = await fetch(`${url}/health`);
    const { status, projections }: Health = JSON.parse(await response.text());
    if (status === 'ready' && projections.every(({ lag }) => lag === 0)) return;
    if (projections.some(({ stoppedStreams }) => stoppedStreams > 0)) throw new Error('rows are stopped');
  }
};
