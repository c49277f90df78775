import { IsoTime, SessionId } from '@app/kernel';
import type { AuditQuery, AuditRow } from '@app/ports';

export type Asked = Omit<AuditQuery, 'tenant' | 'limit'>;
/** Returns a query whose result contains the row; `number` is the row's index. */
type Case = (row: AuditRow, number: number) => Asked;

const HOUR_MS = 3_600_000;
const after = (time: string, hours: number): IsoTime => IsoTime(new Date(Date.parse(time) + hours * HOUR_MS));

const session: Case = (row) => (row.session === null ? {} : { session: SessionId(row.session) });
const type: Case = (row) => ({ types: [row.type] });
const trigger: Case = (row) => (row.trigger === null ? {} : { trigger: row.trigger });
const outcome: Case = (row) => (row.outcome === null ? {} : { outcome: row.outcome });
const profile: Case = ({ profile }) => (profile === null ? {} : { profile });
const model: Case = ({ model }) => (model === null ? {} : { model });
const actor: Case = (row) => ({ actor: row.actor });
const correlation: Case = (row) => ({ correlationId: row.correlationId });
const hour: Case = ({ recordedAt }) => ({ since: recordedAt, until: after(recordedAt, 1) });
const FILTERS = [session, type, trigger, outcome, profile, model, actor, correlation, hour];

const both =
  (...cases: readonly Case[]): Case =>
  (row, number) => {
    let all: Asked = {};
    for (const one of cases) all = { ...all, ...one(row, number) };
    return all;
  };
const sorted =
  (sort: NonNullable<Asked['sort']>, one: Case = () => ({})): Case =>
  (row, number) => ({ ...one(row, number), sort });
const types =
  (...names: NonNullable<Asked['types']>): Case =>
  () => ({ types: names });

/** Combines a varying selection of `count` filters. */
const some =
  (size: number): Case =>
  (row, number) =>
    both(
      ...Array.from({ length: size }, (_, at) => FILTERS[(number * (at + 1) + at) % FILTERS.length] ?? type),
    )(row, number);

/** Run with rows of all kinds. */
export const CASES: Readonly<Record<string, Case>> = {
  'no filter': () => ({}),
  'no filter, a later page': (row) => ({ after: row }),
  'no filter, oldest first': sorted('position'),
  session,
  type,
  'two types': (row) => ({ types: [row.type, 'CompactionCompleted'] }),
  'two rare types': types('CompactionCompleted', 'CompactionAttemptFailed'),
  profile,
  model,
  actor,
  correlation,
  'an hour': hour,
  'thirty days from': ({ recordedAt }) => ({ since: recordedAt, until: after(recordedAt, 720) }),
  since: ({ recordedAt }) => ({ since: recordedAt }),
  until: ({ recordedAt }) => ({ until: recordedAt }),
  'since, oldest first': ({ recordedAt }) => ({ since: recordedAt, sort: 'position' }),
  'an hour and type': both(hour, type),
  'actor and type': both(actor, type),
  'model and type': both(model, type),
  'profile and model': both(profile, model),
  'profile, model, actor and type': both(profile, model, actor, type),
  'by time': sorted('-time'),
  'by time, type': sorted('-time', type),
  'by time, session': sorted('-time', session),
  'by time, model': sorted('-time', model),
  'by time, oldest first, actor and type': sorted('time', both(actor, type)),
  'by time, an hour': sorted('-time', hour),
  'by time, an hour and model': sorted('-time', both(hour, model)),
};

/** Run with ends of compactions, to which every filter applies. */
export const CASES_OF_ENDS: Readonly<Record<string, Case>> = {
  'a trigger': trigger,
  'an outcome': outcome,
  'trigger and outcome': both(trigger, outcome),
  'outcome and type': both(outcome, type),
  'model, outcome and an hour': both(model, outcome, hour),
  'trigger, profile and model': both(trigger, profile, model),
  'any two': some(2),
  'any three': some(3),
  'any five': some(5),
  'any two by time': sorted('-time', some(2)),
};
