import {
  DiffContexts,
  ExplainCompaction,
  ExportProof,
  GetContext,
  GetLimits,
  GetRetentionDefaults,
  GetSummarizers,
  ListApiKeys,
  ListDeliveries,
  ListLogWitnesses,
  ListMessages,
  ListModels,
  ListOwnPrompts,
  ListSecrets,
  ListTenants,
  ListWebhooks,
  PlanCompaction,
  ReadMessage,
  ReadOccupancy,
  ReadRetention,
  ReadSession,
  Recall,
  RecordContentRead,
  SearchMessages,
  type SessionRef,
  ShowModel,
  ShowOwnPrompt,
  ShowProtection,
  ShowSession,
  ShowTenant,
  TraceMessage,
  VerifyLive,
  WhatIf,
} from '@app/application';
import { type Actor, type AsOf, invariant } from '@app/kernel';
import type { Palimpsest } from '@app/platform';

/** A command's read of text: session and revisions; without `to`, up to the newest revision. */
export type TextRead = {
  /** Command as typed, such as `export`. */
  readonly command: string;
  readonly ref: SessionRef;
  readonly from?: number;
  readonly to?: number;
  readonly filters?: Readonly<Record<string, string>>;
};

type Query = abstract new (...given: never[]) => object;
/** `none`: the answer has no text. `elsewhere`: the service records the read. */
type Text = 'none' | 'elsewhere' | ((query: object, answer: unknown) => TextRead | undefined);

/** Returns the last revision read if all states are revisions; otherwise the given times or requests. */
const stateRead = (states: Readonly<Record<string, AsOf>>): Pick<TextRead, 'to' | 'filters'> => {
  const named = Object.values(states);
  if (named.every((one) => typeof one === 'number')) return { to: Math.max(...named) };
  return { filters: Object.fromEntries(Object.entries(states).map(([name, one]) => [name, String(one)])) };
};

/** Returns the revision in the answer; a time or a request ID does not contain one. */
const revisionIn = (answer: unknown): Pick<TextRead, 'to'> => {
  const revision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'revision') : undefined;
  return typeof revision === 'number' ? { to: revision } : {};
};

/** States the read that a query of a class makes, from its input and answer; `undefined` if the answer has no text. */
const textOf = <Asked extends object>(
  type: abstract new (...given: never[]) => Asked,
  read: (query: Asked, answer: unknown) => TextRead | undefined,
): readonly [Query, Text] => [
  type,
  (query, answer) => {
    invariant(query instanceof type, 'a query is looked up by its class');
    return read(query, answer);
  },
];

/**
 * States for every query whether its answer has text; `test/architecture/text-reads.spec.ts` requires an entry for
 * each.
 */
export const TEXT_OF_QUERIES: readonly (readonly [Query, Text])[] = [
  textOf(GetContext, ({ ref, asOf }, answer) => ({
    command: 'context',
    ref,
    ...(asOf !== undefined && stateRead({ asOf })),
    ...revisionIn(answer),
  })),
  textOf(DiffContexts, ({ ref, input: { a, b, content } }) =>
    content ? { command: 'diff', ref, ...stateRead({ a, b }) } : undefined,
  ),
  textOf(ReadMessage, ({ ref, input: { message } }) => ({ command: 'message', ref, filters: { message } })),
  textOf(SearchMessages, ({ ref, input: { text } }) => ({ command: 'search', ref, filters: { text } })),
  // Agents send it over the API only.
  [Recall, 'elsewhere'],
  [ReadSession, 'elsewhere'],
  textOf(ExplainCompaction, ({ ref, input: compactionId }) => ({
    command: 'explain',
    ref,
    filters: { compaction: compactionId },
  })),
  textOf(ExportProof, ({ ref, input: options }) =>
    options.content === 'clear' ? { command: 'export --proof', ref } : undefined,
  ),
  [GetLimits, 'none'],
  [GetRetentionDefaults, 'none'],
  [GetSummarizers, 'none'],
  [ListApiKeys, 'none'],
  [ListDeliveries, 'none'],
  [ListModels, 'none'],
  // Prompts contain no message of a session.
  [ListOwnPrompts, 'none'],
  [ListSecrets, 'none'],
  [ListTenants, 'none'],
  [VerifyLive, 'none'],
  [ListLogWitnesses, 'none'],
  [ListWebhooks, 'none'],
  [PlanCompaction, 'none'],
  // Over the API only.
  [ListMessages, 'elsewhere'],
  [ReadOccupancy, 'none'],
  [ReadRetention, 'none'],
  [ShowModel, 'none'],
  [ShowOwnPrompt, 'none'],
  [ShowProtection, 'none'],
  [ShowSession, 'elsewhere'],
  [ShowTenant, 'none'],
  [TraceMessage, 'none'],
  [WhatIf, 'none'],
];

/** Records reads of text by local commands before the text is printed. */
export class TextReads {
  constructor(
    private readonly palimpsest: Pick<Palimpsest, 'commands' | 'queries'>,
    private readonly actor: Actor,
    /** Reason from `--why`. */
    private readonly why: string | undefined,
  ) {}

  /** Queries that record a read of text before they return its answer. */
  get queries(): Pick<Palimpsest['queries'], 'execute'> {
    const { queries } = this.palimpsest;
    return {
      execute: async (query: object) => {
        const answer: unknown = await queries.execute(query as Parameters<typeof queries.execute>[0]);
        const [, text = 'none'] = TEXT_OF_QUERIES.find(([type]) => query instanceof type) ?? [];
        const read = typeof text === 'function' ? text(query, answer) : undefined;
        if (read) await this.record(read);
        return answer;
      },
    } as Pick<Palimpsest['queries'], 'execute'>; // It answers what the bus answers.
  }

  /** @throws {AppError} if the read cannot be recorded; the text is then not printed. */
  async record({ command, ref, from = 0, to, filters = {} }: TextRead): Promise<void> {
    const { tenant, session } = ref;
    const newest = to ?? (await this.palimpsest.queries.execute(new ReadSession(ref, {}))).to;
    const read = {
      endpoint: `palimpsest ${command}`,
      session,
      revisions: { from, to: newest },
      filters,
      reason: this.why ?? null,
    };
    await this.palimpsest.commands.execute(new RecordContentRead(tenant, read, { actor: this.actor }));
  }
}
