import type { LoggedEvent, PalimpsestClient } from '@app/client';
import type { Plan } from './agents.js';
import type { ProviderCall } from './providers.js';

/** The maximum relative error of a request's size against its bill. */
export const OFF_MAX = 0.02;
/** Requests of a session before that limit applies. */
const LEARNED_AFTER = 3;
/** The minimum number of turns between two automatic compactions. */
const TURNS_APART = 2;

export type Verdict = {
  readonly session: string;
  /** Incorrect reports about the session; must be empty. */
  readonly faults: readonly string[];
  readonly requests: number;
  readonly compactions: number;
  /** The relative error of the size of each request after the third. */
  readonly off: readonly number[];
  /** Descriptions of the requests above {@link OFF_MAX}. */
  readonly far: readonly string[];
};

/** A request from the session's log, with the provider's record of it. */
type Sent = {
  readonly event: LoggedEvent;
  readonly requestId: string;
  readonly occupancy: number;
  readonly turn: number;
  readonly call: ProviderCall | undefined;
};

/** Compares a session with its provider's records, and with its own log. */
export const judge = async (
  plan: Plan,
  client: PalimpsestClient,
  calls: ReadonlyMap<string, readonly ProviderCall[]>,
): Promise<Verdict> => {
  const log: LoggedEvent[] = [];
  for await (const event of client.sessions.events(plan.session)) log.push(event);
  const sent = ofType(log, 'RequestComposed').map((event): Sent => {
    const all = calls.get(String(event.data.digest)) ?? [];
    return {
      event,
      requestId: String(event.data.requestId),
      // On a ladder rung only a part of the session is sent.
      occupancy: Number(Object(event.data.ladder).tokens ?? event.data.occupancy),
      turn: Number(event.data.turn),
      call: all.find(({ status }) => status === 200) ?? all[0],
    };
  });
  const measured = plan.usage === 'never' ? [] : sent.slice(LEARNED_AFTER).flatMap(offOf);
  const faults = [
    ...limitFaults(sent),
    ...pacingFaults(log),
    ...sizeFaults(log),
    ...billFaults(log),
    ...(await digestFaults(plan, client, sent)),
    ...(await rowFaults(plan, client, log)),
  ];
  return {
    session: plan.session,
    faults: faults.map((fault) => `${plan.session} (${plan.profile}, ${plan.format}): ${fault}`),
    requests: sent.length,
    compactions: ofType(log, 'CompactionCompleted').length,
    off: measured.map(({ off }) => off),
    far: measured.filter(({ off }) => off > OFF_MAX).map(({ fault }) => `${plan.session}: ${fault}`),
  };
};

/** The provider rejects only requests that the script rejects. */
const limitFaults = (sent: readonly Sent[]): readonly string[] =>
  sent.flatMap(({ requestId, call }) =>
    call && call.status !== 200 && !call.isScripted ? [`${requestId} was refused: ${call.refusal}`] : [],
  );

const offOf = ({ requestId, occupancy, call }: Sent): readonly { off: number; fault: string }[] => {
  if (!call || call.prompt === 0) return [];
  const off = Math.abs(occupancy - call.prompt) / call.prompt;
  const percent = (off * 100).toFixed(1);
  return [
    {
      off,
      fault: `${requestId} was estimated at ${occupancy} billed tokens and billed ${call.prompt} (${percent} %)`,
    },
  ];
};

/** Automatic compactions are at least two turns apart. */
const pacingFaults = (log: readonly LoggedEvent[]): readonly string[] => {
  const faults: string[] = [];
  let before: LoggedEvent | undefined;
  for (const event of ofType(log, 'CompactionCompleted')) {
    const isScripted = event.data.trigger === 'overflow';
    const apart = before ? Number(event.data.turn) - Number(before.data.turn) : TURNS_APART;
    if (!isScripted && apart < TURNS_APART)
      faults.push(`${String(event.data.compactionId)} came ${apart} turns after the previous one`);
    before = event;
  }
  return faults;
};

/** Sizes before and after a compaction are equal in every record. */
const sizeFaults = (log: readonly LoggedEvent[]): readonly string[] => {
  const applied = new Map(ofType(log, 'CompactionApplied').map(({ data }) => [data.compactionId, data]));
  const names = ['countedBefore', 'countedAfter', 'billedBefore', 'billedAfter'];
  return ofType(log, 'CompactionCompleted').flatMap(({ data }) =>
    names.flatMap((name) => {
      const [one, other] = [data[name], applied.get(data.compactionId)?.[name]];
      return typeof one === 'number' && one === other
        ? []
        : [`${name} of ${String(data.compactionId)} is ${String(one)} and ${String(other)}`];
    }),
  );
};

/** Each request is billed at most once, and each bill names a request of the log. */
const billFaults = (log: readonly LoggedEvent[]): readonly string[] => {
  const requests = new Set(ofType(log, 'RequestComposed').map(({ data }) => data.requestId));
  const billed = ofType(log, 'UsageReported').map(({ data }) => data.requestId);
  return billed.flatMap((id, at) => [
    ...(requests.has(id) ? [] : [`a bill is for ${String(id)}, which the log does not have`]),
    ...(billed.indexOf(id) === at ? [] : [`${String(id)} is billed twice`]),
  ]);
};

/** Every request can be rebuilt byte for byte. */
const digestFaults = async (
  { session }: Plan,
  client: PalimpsestClient,
  sent: readonly Sent[],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const { requestId } of sent) {
    const { digestMatches } = await client.sessions.context(session, { asOf: requestId });
    if (digestMatches !== true) faults.push(`${requestId} cannot be rebuilt`);
  }
  return faults;
};

/** Audit, list of sessions, compactions and explanations agree with the log. */
const rowFaults = async (
  { session }: Plan,
  client: PalimpsestClient,
  log: readonly LoggedEvent[],
): Promise<readonly string[]> => {
  const faults: string[] = [];
  const audited: string[] = [];
  for await (const { revision, type } of client.audit.search({ session, sort: 'position', limit: 1_000 }))
    audited.push(`${revision} ${type}`);
  const logged = log.map(({ revision, type }) => `${revision} ${type}`);
  if (audited.join() !== logged.join()) faults.push('its audit differs from its log');
  const { budget } = await client.sessions.get(session);
  for await (const row of client.sessions.list({ limit: 1_000 })) {
    if (row.session !== session) continue;
    if (row.occupancy !== budget.occupancy || row.state !== budget.state)
      faults.push(
        `its row has ${row.occupancy} ${row.state}, where the session has ${budget.occupancy} ${budget.state}`,
      );
    if (row.revision !== log.length - 1) faults.push('its row is behind');
  }
  const completed = new Map(ofType(log, 'CompactionCompleted').map(({ data }) => [data.compactionId, data]));
  for await (const row of client.audit.compactions({ session })) {
    const data = completed.get(row.compactionId);
    if (!data) continue;
    const pairs: readonly (readonly [string, unknown, unknown])[] = [
      ['countedBefore', row.countedBefore, data.countedBefore],
      ['countedAfter', row.countedAfter, data.countedAfter],
      ['billedBefore', row.billedBefore, data.billedBefore],
      ['billedAfter', row.billedAfter, data.billedAfter],
    ];
    for (const [name, shown, truth] of pairs)
      if (shown !== truth)
        faults.push(
          `${name} of ${row.compactionId} is ${String(shown)} in its row, ${String(truth)} in the log`,
        );
  }
  return faults;
};

const ofType = (log: readonly LoggedEvent[], type: string): readonly LoggedEvent[] =>
  log.filter((event) => event.type === type);
