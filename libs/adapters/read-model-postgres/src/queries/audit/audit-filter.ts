import { type IsoTime, invariant } from '@app/kernel';
import type { AuditFilter } from '@app/ports';
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type LossSearch, type SearchDigests, searchOfLost } from '../../projections/audit-events/losses.js';
import type { ReadTables } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import { asked } from '../../tenancy/statement-shapes.js';
import { descriptionConditions, descriptionShape, isDescribed } from '../sessions.js';

const HOUR_MS = 3_600_000;

/** A filter, or a query with its members, whose `lost` is what the index of losses holds. */
export type Searchable<Filter extends AuditFilter> = Omit<Filter, 'lost'> & { readonly lost?: LossSearch };
type SearchableFilter = Searchable<AuditFilter>;

export const searchable = async <Question extends AuditFilter>(
  { lost, ...question }: Question,
  digests: SearchDigests,
): Promise<Searchable<Question>> => ({
  ...question,
  ...(lost !== undefined && { lost: await searchOfLost(question.tenant, lost, digests) }),
});

type Builder = ExpressionBuilder<ReadTables, 'audit_events'>;
/** Order in which rows are read. */
export type Reading = 'by-position' | 'by-time';

/** Returns the key of a filter's conditions: its members, and the number of types. */
export const shapeOf = (filter: SearchableFilter): string => {
  const given = Object.entries(filter).filter(([name, value]) => value !== undefined && name !== 'labels');
  const names = given.map(([name]) => (name === 'types' ? `types:${filter.types?.length}` : name));
  return `${names.join()} ${descriptionShape(filter)}`;
};

/**
 * Returns the conditions of a row: its tenant, and all members of the filter. Values are placeholders.
 *
 * @param typeAt the index of the filter's type that a row must have; absent for any of them.
 */
export const passes =
  (filter: SearchableFilter, reading: Reading, typeAt?: number) =>
  (eb: Builder): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [
      eb(
        'tenant',
        '=',
        asked(({ tenant }: SearchableFilter) => tenant),
      ),
    ];
    for (const [column, textOf] of [...given(filter, OF_FEW), ...given(filter, OF_MANY)]) {
      conditions.push(sql`${eb.ref(column)} = ${text(textOf)}`);
    }
    const types = filter.types
      ?.map((_, at) => text((asking) => asking.types?.[at]))
      .filter((_, at) => typeAt === undefined || at === typeAt);
    if (types?.length === 0) conditions.push(eb.lit(false));
    else if (types) conditions.push(sql`type in (${sql.join(types)})`);
    if (filter.lost !== undefined) conditions.push(hasLost());
    if (isDescribed(filter)) conditions.push(isOfDescribed(filter, eb));
    if (filter.upTo !== undefined)
      conditions.push(sql`position <= ${asked(({ upTo }: SearchableFilter) => upTo)}`);
    return eb.and([...conditions, ...(reading === 'by-time' ? times : places)(filter, eb)]);
  };

/** The session has the metadata now; when the event was recorded it may have had other. */
const isOfDescribed = (filter: SearchableFilter, eb: Builder): Expression<SqlBool> =>
  eb(
    'audit_events.session',
    'in',
    eb
      .selectFrom('sessions')
      .select('sessions.session')
      .where('sessions.tenant', '=', TENANT)
      .where(eb.and([...descriptionConditions<SearchableFilter>(filter, asked)])),
  );

/** Uses the index on losses of compactions. */
const hasLost = (): RawBuilder<SqlBool> => {
  const wanted = (part: 'names' | 'directives') => asked(({ lost }: SearchableFilter) => lost?.[part]);
  return sql`(type = 'CompactionCompleted' and ((payload -> 'lost') @> ${wanted('names')}::jsonb or (payload -> 'lost') @> ${wanted('directives')}::jsonb))`;
};

const TENANT = asked(({ tenant }: SearchableFilter) => tenant);

type TextOf = (filter: SearchableFilter) => string | undefined;
type Texts = readonly (readonly [
  column: 'session' | 'correlation' | 'compaction' | 'trigger' | 'outcome' | 'profile' | 'model' | 'actor',
  textOf: TextOf,
])[];

/** Selective columns. */
const OF_FEW: Texts = [
  ['session', ({ session }) => session],
  ['correlation', ({ correlationId }) => correlationId],
  ['compaction', ({ compactionId }) => compactionId],
];
/** Unselective columns: every index has them after its sort key. */
const OF_MANY: Texts = [
  ['trigger', ({ trigger }) => trigger],
  ['outcome', ({ outcome }) => outcome],
  ['profile', ({ profile }) => profile],
  ['model', ({ model }) => model],
  ['actor', ({ actor }) => actor],
];

const given = (filter: SearchableFilter, texts: Texts): Texts =>
  texts.filter(([, textOf]) => textOf(filter) !== undefined);

/** Returns whether the filter is selective: by session, operation or compaction. */
export const isOfFew = (filter: SearchableFilter): boolean =>
  given(filter, OF_FEW).length > 0 || filter.lost !== undefined;
/** Returns whether the filter is a time range without selective columns. */
export const isOfTimeAlone = (filter: SearchableFilter): boolean =>
  (filter.since !== undefined || filter.until !== undefined) && isOfNothing(filter) && !filter.types?.length;
/** Whether rows of several types are asked for, and no others. */
export const isOfTypesAlone = (filter: SearchableFilter): boolean =>
  (filter.types?.length ?? 0) > 1 && isOfNothing(filter);
const isOfNothing = (filter: SearchableFilter): boolean =>
  !isOfFew(filter) && given(filter, OF_MANY).length === 0 && !isDescribed(filter);

/** As it would have been stored. */
const text = (textOf: TextOf): RawBuilder<string | undefined> =>
  asked((filter: SearchableFilter) => {
    const wanted = textOf(filter);
    return wanted === undefined ? wanted : storableText(wanted);
  });

const sinceTime = (earlierMs = 0): RawBuilder<Date> =>
  asked(({ since }: SearchableFilter) => timeOf(since, earlierMs));
const untilTime = (): RawBuilder<Date> => asked(({ until }: SearchableFilter) => timeOf(until));

const timeOf = (time: IsoTime | undefined, earlierMs = 0): Date => {
  invariant(time !== undefined, 'a place is left for a time that is given');
  return new Date(Date.parse(time) - earlierMs);
};

const times = ({ since, until }: SearchableFilter, eb: Builder): readonly Expression<SqlBool>[] => [
  ...(since === undefined ? [] : [eb('recorded_at', '>=', sinceTime())]),
  ...(until === undefined ? [] : [eb('recorded_at', '<', untilTime())]),
];

/**
 * Returns the conditions of a time range: `audit_hours` maps it to log positions, the sort key of every index, so
 * that only rows in the range are read. Nearly all rows between the positions match, which PostgreSQL cannot
 * estimate: a plain comparison, believed selective, would make it read and sort all of them, and one inside `case`
 * has no estimate.
 */
const places = ({ since, until }: SearchableFilter, eb: Builder): readonly Expression<SqlBool>[] => {
  const hours = eb.selectFrom('audit_hours').where('audit_hours.tenant', '=', TENANT).limit(1);
  const time = eb.ref('recorded_at');
  const conditions: Expression<SqlBool>[] = [];
  if (since !== undefined) {
    const from = hours.where('hour', '>', sinceTime(HOUR_MS)).orderBy('hour');
    conditions.push(
      eb('position', '>=', from.select('first_position')),
      sql`case when ${time} < ${sinceTime()} then false else true end`,
    );
  }
  if (until !== undefined) {
    const to = hours.where('hour', '<', untilTime()).orderBy('hour', 'desc');
    conditions.push(
      eb('position', '<=', to.select('last_position')),
      sql`case when ${time} < ${untilTime()} then true else false end`,
    );
  }
  return conditions;
};
