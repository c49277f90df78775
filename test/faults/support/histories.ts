import { isJsonObject, type JsonObject } from '@app/kernel';
import { type CliResult, Shell } from '../../support/shell/shell.js';
import { output } from './palimpsest.js';

/** The output of the product's commands on a session. */
export type History = {
  readonly events: readonly JsonObject[];
  /** Every message as exported, without its log position, which depends on interruptions. */
  readonly messages: readonly string[];
  readonly audit: readonly JsonObject[];
  readonly sessions: readonly JsonObject[];
};

export const historyOf = (data: string, session: string): Promise<History> =>
  Shell.on(data, (shell) => historyIn(shell, session));

/** Reads the history through a shell on the folder. */
export const historyIn = async (shell: Shell, session: string): Promise<History> => ({
  events: lines(said(await shell.run(['events', session, '--json']))),
  messages: lines(said(await shell.run(['export', session]))).map(({ id, role, content }) =>
    JSON.stringify([id, role, content]),
  ),
  ...(await rowsIn(shell)),
});

export const rowsIn = async (shell: Shell): Promise<Pick<History, 'audit' | 'sessions'>> => ({
  audit: list(said(await shell.run(['audit', '--json', '--limit', '100000']))),
  sessions: list(said(await shell.run(['sessions', '--json']))),
});

/** Returns the stdout of a command that must succeed without stderr. */
export const said = ({ exitCode, stdout, stderr }: CliResult): string => {
  if (exitCode === 0 && stderr === '') return stdout;
  throw new Error(`a command ended with ${exitCode} and said: ${stderr}`);
};

/** Imports a transcript of one session, and returns the session's id. */
export const imported = async (importing: readonly string[]): Promise<string> => {
  const [session] = lines(await output([...importing, '--json']));
  return String(session?.session);
};

/** Returns the existing sessions, as a command in a child process lists them. */
export const sessionsOf = async (data: string): Promise<readonly JsonObject[]> =>
  list(await output(['sessions', '--data', data, '--json']));

/** Returns the inconsistencies of a history; must be empty after any kill. */
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

/** Returns differences between rows and log: each event is audited once, and the session's counts match. */
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

/** @throws if a line is not JSON. */
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
