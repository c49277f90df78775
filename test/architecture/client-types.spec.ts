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

/** `true` if the types are mutually assignable with the same members; the compiler rejects `false`. */
type IsSame<Client, Served> = [AsJson<Client>, keyof Client] extends [Served, keyof Served]
  ? [Served, keyof Served] extends [AsJson<Client>, keyof Client]
    ? true
    : false
  : false;
/** The client accepts any projection name, since a newer service may have others. */
type Unnamed<Type> = Omit<Type, 'projection'>;

/** Answers that no remote command uses; the compiler checks the others where commands use them. */
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

it('declares the API’s answer types in the client, checked by the compiler', () => {
  expect(new Set(Object.values(HELD))).toEqual(new Set([true]));
});
