import { jsonLines, textParts } from '../streams/lines.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import type {
  AuditFilter,
  AuditGroup,
  AuditReadRow,
  AuditRow,
  AuditSort,
  AuditTotals,
  CompactionFilter,
  CompactionRecord,
  ReadKind,
  UsageGroup,
  UsageTotals,
} from '../types/audit.js';
import { itemsOf, type Page } from './pages.js';

type Paging = { readonly limit?: number; readonly cursor?: string };

/** The audit: actors, times and sizes, never content. */
export class Audit {
  constructor(private readonly http: Transport) {}

  /** Iterates over all matching rows, newest first; pages are requested as needed. */
  search(
    filter: AuditFilter & { readonly sort?: AuditSort; readonly limit?: number } = {},
    options?: CallOptions,
  ): AsyncGenerator<AuditRow, void, undefined> {
    return itemsOf((cursor) => this.page({ ...filter, ...(cursor !== undefined && { cursor }) }, options));
  }

  /** Returns one page; `limit` is 100 by default and at most 1,000. */
  page(
    query: AuditFilter & Paging & { readonly sort?: AuditSort } = {},
    options?: CallOptions,
  ): Promise<Page<AuditRow>> {
    return this.http.send('GET', path`/v1/audit`, { query }, options);
  }

  /** Returns one page of recorded reads, newest first; this read is recorded, too. */
  reads(
    query: Paging & { readonly kind?: ReadKind; readonly session?: string; readonly actor?: string } = {},
    options?: CallOptions,
  ): Promise<Page<AuditReadRow>> {
    return this.http.send('GET', path`/v1/audit/reads`, { query }, options);
  }

  /** Iterates over all recorded reads, newest first; pages are requested as needed. */
  allReads(
    query: {
      readonly limit?: number;
      readonly kind?: ReadKind;
      readonly session?: string;
      readonly actor?: string;
    } = {},
    options?: CallOptions,
  ): AsyncGenerator<AuditReadRow, void, undefined> {
    return itemsOf((cursor) => this.reads({ ...query, ...(cursor !== undefined && { cursor }) }, options));
  }

  /** Counts rows by group. */
  totals(filter: AuditFilter & { readonly by: AuditGroup }, options?: CallOptions): Promise<AuditTotals> {
    return this.http.send('GET', path`/v1/audit/totals`, { query: filter }, options);
  }

  /** Exports all current rows, oldest first, in one answer of any length. */
  async *export(
    filter: AuditFilter & { readonly sort?: AuditSort } = {},
    options?: CallOptions,
  ): AsyncGenerator<AuditRow, void, undefined> {
    yield* jsonLines<AuditRow>(await this.exported({ ...filter, format: 'ndjson' }, options));
  }

  /** Exports all current rows as CSV text, in parts. */
  async *exportCsv(
    filter: AuditFilter & { readonly sort?: AuditSort } = {},
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    yield* textParts(await this.exported({ ...filter, format: 'csv' }, options));
  }

  private exported(query: AuditFilter & { readonly format: 'ndjson' | 'csv' }, options?: CallOptions) {
    return this.http.stream('GET', path`/v1/audit/export`, { query, accept: '*/*' }, options);
  }

  /** Searches the compactions of all sessions, newest request first. */
  compactions(
    filter: CompactionFilter & { readonly limit?: number } = {},
    options?: CallOptions,
  ): AsyncGenerator<CompactionRecord, void, undefined> {
    return itemsOf((cursor) =>
      this.compactionPage({ ...filter, ...(cursor !== undefined && { cursor }) }, options),
    );
  }

  compactionPage(
    query: CompactionFilter & Paging = {},
    options?: CallOptions,
  ): Promise<Page<CompactionRecord>> {
    return this.http.send('GET', path`/v1/compactions`, { query }, options);
  }

  /** Sums billed tokens, costs and savings by day, model, profile or tenant; days are in UTC and inclusive. */
  usage(
    query: { readonly from?: string; readonly to?: string; readonly by?: UsageGroup } = {},
    options?: CallOptions,
  ): Promise<UsageTotals> {
    return this.http.send('GET', path`/v1/usage`, { query }, options);
  }
}
