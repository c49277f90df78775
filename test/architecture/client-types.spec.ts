import type {
  AuditReadRow,
  AuditRow,
  AuditTotals,
  CompactionRecord,
  ProjectionStatus,
  SkippedProjection,
  UsageTotals,
} from '@app/client';
import type { ReadModels } from '@app/ports';
import { expect, it } from '@jest/globals';
import type { ListProjectionsController } from '../../apps/api/src/projections/list-projections.controller.js';
import type { SkipProjectionController } from '../../apps/api/src/projections/skip-projection.controller.js';
import type { AsJson } from '../../apps/cli/src/remote/result-of.js';

type Answer<Call> = Call extends (...given: never[]) => Promise<infer Result> ? AsJson<Result> : never;
type RowOf<Call> = Answer<Call> extends readonly (infer Row)[] ? Row : never;

/** `true` where each is the other: a member that one side alone has makes it `false`, and the compiler refuses that. */
type IsSame<Client, Served> = [AsJson<Client>, keyof Client] extends [Served, keyof Served]
  ? [Served, keyof Served] extends [AsJson<Client>, keyof Client]
    ? true
    : false
  : false;
/** The client takes any name of a projection: a newer service has others. */
type Unnamed<Type> = Omit<Type, 'projection'>;

/** What no command of the command line asks for over HTTP; the rest is held to the API where that calls it. */
const HELD: {
  readonly 'GET /v1/audit': IsSame<AuditRow, RowOf<ReadModels['audit']>>;
  readonly 'GET /v1/audit/reads': IsSame<AuditReadRow, RowOf<ReadModels['auditReads']>>;
  readonly 'GET /v1/audit/totals': IsSame<AuditTotals, Answer<ReadModels['auditTotals']>>;
  readonly 'GET /v1/compactions': IsSame<CompactionRecord, RowOf<ReadModels['compactions']>>;
  readonly 'GET /v1/projections': IsSame<
    Unnamed<ProjectionStatus>,
    Unnamed<RowOf<ListProjectionsController['list']>>
  >;
  readonly 'GET /v1/usage': IsSame<UsageTotals, Answer<ReadModels['usage']>>;
  readonly 'POST /v1/projections/:name/skip': IsSame<
    Unnamed<SkippedProjection>,
    Unnamed<Answer<SkipProjectionController['skip']>>
  >;
} = {
  'GET /v1/audit': true,
  'GET /v1/audit/reads': true,
  'GET /v1/audit/totals': true,
  'GET /v1/compactions': true,
  'GET /v1/projections': true,
  'GET /v1/usage': true,
  'POST /v1/projections/:name/skip': true,
};

it('has answers in the client that are those of the API, by the word of the compiler', () => {
  expect(new Set(Object.values(HELD))).toEqual(new Set([true]));
});
