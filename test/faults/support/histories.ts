import { isJsonObject, type JsonObject } from '@app/kernel';
import { output } from './palimpsest.js';

/** What the product says of a session, by its own commands. */
export type History = {
  readonly events: readonly JsonObject[];
  /** Every message as exported, without its place in the log: that depends on what was interrupted. */
  readonly messages: readonly string[];
  readonly audit: readonly JsonObject[];
  readonly sessions: readonly JsonObject[];
};

export const historyOf = async (data: string, session: string): Promise<History> => ({
  events: await eventsOf(data, session),
  messages: lines(await output(['export', session, '--data', data])).map(({ id, role, content }) =>
    JSON.stringify([id, role, content]),
  ),
  ...(await rowsOf(data)),
});

export const eventsOf = async (data: string, session: string): Promise<readonly JsonObject[]> =>
  lines(await output(['events', session, '--data', data, '--json']));

export const rowsOf = async (data: string): Promise<Pick<History, 'audit' | 'sessions'>> => ({
  audit: list(await output(['audit', '--data', data, '--json', '--limit', '100000'])),
  sessions: list(await output(['sessions', '--data', data, '--json'])),
});

/** Faults of a history that nobody may find, whatever was killed while it was made; none is what is wanted. */
export const faultsOf = ({ events, audit, sessions }: History): readonly string[] => [
  ...repeated(events.map((event) => String(event.id))).map((id) => `event ${id} is there twice`),
  ...repeated(ofType(events, 'MessageAppended').map(messageId)).map((id) => `message ${id} is there twice`),
  ...events.flatMap(({ revision }, at) => (revision === at ? [] : [`revision ${revision} stands at ${at}`])),
  ...compactionFaults(events),
  ...rowFaults(events, audit, sessions),
];

const OUTCOMES = ['CompactionCompleted', 'CompactionFailed', 'CompactionSkipped'];
const ATTEMPT_OUTCOMES = ['CompactionCompleted', 'CompactionAttemptFailed'];

const compactionFaults = (events: readonly JsonObject[]): readonly string[] => {
  const faults: string[] = [];
  let open: string | undefined;
  let attempt: unknown;
  for (const event of events) {
    const { compactionId, attempt: number } = dataOf(event);
    if (event.type === 'CompactionRequested') {
      if (open !== undefined) faults.push(`${compactionId} was requested while ${open} was open`);
      open = String(compactionId);
    }
    if (event.type === 'CompactionStarted') {
      if (attempt !== undefined) faults.push(`attempt ${attempt} of ${compactionId} has no outcome`);
      if (compactionId !== open) faults.push(`${compactionId} was started, and never requested`);
      attempt = number;
    }
    if (ATTEMPT_OUTCOMES.includes(String(event.type))) {
      if (attempt === undefined) faults.push(`${event.type} of ${compactionId} without a start`);
      attempt = undefined;
    }
    if (OUTCOMES.includes(String(event.type)) && compactionId === open) open = undefined;
  }
  return open === undefined ? faults : [...faults, `${open} is still open`];
};

/** The rows are the log's: each event audited once, and the session counted as it is. */
const rowFaults = (
  events: readonly JsonObject[],
  audit: readonly JsonObject[],
  sessions: readonly JsonObject[],
): readonly string[] => {
  const logged = events.map(({ revision, type }) => `${revision} ${type}`).sort();
  const audited = audit.map(({ revision, type }) => `${revision} ${type}`).sort();
  const counted = sessions.map(({ revision, messages, compactions }) => [revision, messages, compactions]);
  const count = (type: string): number => ofType(events, type).length;
  const expected = [[events.length - 1, count('MessageAppended'), count('CompactionCompleted')]];
  return [
    ...(JSON.stringify(logged) === JSON.stringify(audited) ? [] : ['the audit is not the log']),
    ...(JSON.stringify(counted) === JSON.stringify(expected) ? [] : [`the session has the row ${counted}`]),
  ];
};

const ofType = (events: readonly JsonObject[], type: string): readonly JsonObject[] =>
  events.filter((event) => event.type === type);
const dataOf = ({ data }: JsonObject): JsonObject => (isJsonObject(data) ? data : {});
const messageId = (event: JsonObject): string => {
  const { message } = dataOf(event);
  return isJsonObject(message) ? String(message.id) : '';
};
const repeated = (ids: readonly string[]): readonly string[] => ids.filter((id, at) => ids.indexOf(id) < at);

/** @throws where a line is no JSON. */
export const lines = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => objectFrom(JSON.parse(line)));
export const list = (text: string): readonly JsonObject[] => {
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed)) throw new Error('not a list');
  return parsed.map(objectFrom);
};
const objectFrom = (value: unknown): JsonObject => {
  if (isJsonObject(value)) return value;
  throw new Error('not an object');
};
