import type {
  AuditReadRow,
  AuditRow,
  AuditTotals,
  CompactionRecord,
  CountAuditRowsQuery,
  ExportAuditQuery,
  ListAuditReadsQuery,
  ReportUsageQuery,
  SearchAuditQuery,
  SearchCompactionsQuery,
  UsageTotals,
} from '../generated/types.js';
import { jsonLines, textParts } from '../streams/lines.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { itemsOf, type Page } from './pages.js';

/** Conditions that rows of the audit must all meet. */
export type AuditFilter = Omit<SearchAuditQuery, 'sort' | 'limit' | 'cursor'>;

/** The audit: actors, times and sizes, never content. */
export class Audit {
  constructor(private readonly http: Transport) {}

  /** Iterates over all matching rows, newest first; pages are requested as needed. */
  search(
    filter: Omit<SearchAuditQuery, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<AuditRow, void, undefined> {
    return itemsOf((cursor) => this.page({ ...filter, ...(cursor !== undefined && { cursor }) }, options));
  }

  /** Returns one page; `limit` is 100 by default and at most 1,000. */
  page(query: SearchAuditQuery = {}, options?: CallOptions): Promise<Page<AuditRow>> {
    return this.http.send('GET', path`/v1/audit`, { query }, options);
  }

  /** Returns one page of recorded reads, newest first; this read is recorded, too. */
  reads(query: ListAuditReadsQuery = {}, options?: CallOptions): Promise<Page<AuditReadRow>> {
    return this.http.send('GET', path`/v1/audit/reads`, { query }, options);
  }

  /** Iterates over all recorded reads, newest first; pages are requested as needed. */
  allReads(
    query: Omit<ListAuditReadsQuery, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<AuditReadRow, void, undefined> {
    return itemsOf((cursor) => this.reads({ ...query, ...(cursor !== undefined && { cursor }) }, options));
  }

  /** Counts rows by group. */
  totals(filter: CountAuditRowsQuery, options?: CallOptions): Promise<AuditTotals> {
    return this.http.send('GET', path`/v1/audit/totals`, { query: filter }, options);
  }

  /** Exports all current rows, oldest first, in one answer of any length. */
  async *export(
    filter: Omit<ExportAuditQuery, 'format'> = {},
    options?: CallOptions,
  ): AsyncGenerator<AuditRow, void, undefined> {
    yield* jsonLines<AuditRow>(await this.exported({ ...filter, format: 'ndjson' }, options));
  }

  /** Exports all current rows as CSV text, in parts. */
  async *exportCsv(
    filter: Omit<ExportAuditQuery, 'format'> = {},
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    yield* textParts(await this.exported({ ...filter, format: 'csv' }, options));
  }

  private exported(query: ExportAuditQuery, options?: CallOptions) {
    return this.http.stream('GET', path`/v1/audit/export`, { query, accept: '*/*' }, options);
  }

  /** Searches the compactions of all sessions, newest request first. */
  compactions(
    filter: Omit<SearchCompactionsQuery, 'cursor'> = {},
    options?: CallOptions,
  ): AsyncGenerator<CompactionRecord, void, undefined> {
    return itemsOf((cursor) =>
      this.compactionPage({ ...filter, ...(cursor !== undefined && { cursor }) }, options),
    );
  }

  compactionPage(query: SearchCompactionsQuery = {}, options?: CallOptions): Promise<Page<CompactionRecord>> {
    return this.http.send('GET', path`/v1/compactions`, { query }, options);
  }

  /** Sums billed tokens, costs and savings by day, model, profile or tenant; days are in UTC and inclusive. */
  usage(query: ReportUsageQuery = {}, options?: CallOptions): Promise<UsageTotals> {
    return this.http.send('GET', path`/v1/usage`, { query }, options);
  }
}
