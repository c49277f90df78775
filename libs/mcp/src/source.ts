import type { SessionRef } from '@app/application';
import type { SessionView } from '@app/contract';
import type { SessionId, TenantId } from '@app/kernel';
import type { SessionFilter, SessionSummary } from '@app/ports';
import type { Query } from '@nestjs/cqrs';

/** A query about one session whose answer contains text of people and models. */
type TextQuery<Result> = Query<Result> & { readonly ref: SessionRef };

/** The sessions of one tenant, as the MCP server reads them. */
export interface McpSource {
  readonly tenant: TenantId;
  /** The session of calls that name none. */
  readonly session?: SessionId;
  /** Yields the matching sessions, latest activity first. */
  sessions(filter: SessionFilter): AsyncIterable<SessionSummary>;
  /** @throws {AppError} `session-not-found`. */
  show(ref: SessionRef): Promise<SessionView>;
  /**
   * Yields the proof bundle of a session without its text.
   *
   * @throws {AppError} `session-not-found`, `log-behind`, `log-not-found`, `erasure-in-progress`.
   */
  proof(ref: SessionRef): AsyncIterable<string>;
  /**
   * Answers a query and records the read.
   *
   * @param filters arguments besides the session, for the audit.
   * @throws {AppError} `content-forbidden` if the caller may not read text, and the query's own errors.
   */
  read<Result>(query: TextQuery<Result>, filters: Readonly<Record<string, string>>): Promise<Result>;
}
