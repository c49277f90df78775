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
  TraceMessage,
  WhatIf,
} from '@app/application';
import { type Actor, type AsOf, invariant } from '@app/kernel';
import type { Palimpsest } from '@app/platform';

/** A read of text by a command: whose, and from which revision to which; to the newest where none is given. */
export type TextRead = {
  /** As it is typed, such as `export`. */
  readonly command: string;
  readonly ref: SessionRef;
  readonly from?: number;
  readonly to?: number;
  readonly filters?: Readonly<Record<string, string>>;
};

type Query = abstract new (...given: never[]) => object;
/** `none`: its answer has no text. `elsewhere`: the service records the reads that it is asked for. */
type Text = 'none' | 'elsewhere' | ((query: object, answer: unknown) => TextRead | undefined);

/** Up to which revision was read, where all states are named by revisions; else what they were named by. */
const stateRead = (states: Readonly<Record<string, AsOf>>): Pick<TextRead, 'to' | 'filters'> => {
  const named = Object.values(states);
  if (named.every((one) => typeof one === 'number')) return { to: Math.max(...named) };
  return { filters: Object.fromEntries(Object.entries(states).map(([name, one]) => [name, String(one)])) };
};

/** The revision that an answer says it is of: of a time or a request, nobody else knows it. */
const revisionIn = (answer: unknown): Pick<TextRead, 'to'> => {
  const revision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'revision') : undefined;
  return typeof revision === 'number' ? { to: revision } : {};
};

/** The read that a query of a class is, by what it asks for and what it was answered; none where that had no text. */
const textOf =
  <Asked extends object>(
    type: abstract new (...given: never[]) => Asked,
    read: (query: Asked, answer: unknown) => TextRead | undefined,
  ) =>
  (query: object, answer: unknown): TextRead | undefined => {
    invariant(query instanceof type, 'a query is looked up by its class');
    return read(query, answer);
  };

/** Of every query that there is, whether its answer has text: `test/architecture/text-reads.spec.ts` asks for a new one. */
export const TEXT_OF_QUERIES: readonly (readonly [Query, Text])[] = [
  [
    GetContext,
    textOf(GetContext, ({ ref, asOf }, answer) => ({
      command: 'context',
      ref,
      ...(asOf !== undefined && stateRead({ asOf })),
      ...revisionIn(answer),
    })),
  ],
  [
    DiffContexts,
    textOf(DiffContexts, ({ ref, a, b, options }) =>
      options.content ? { command: 'diff', ref, ...stateRead({ a, b }) } : undefined,
    ),
  ],
  [
    ReadMessage,
    textOf(ReadMessage, ({ ref, message }) => ({ command: 'message', ref, filters: { message } })),
  ],
  [
    SearchMessages,
    textOf(SearchMessages, ({ ref, text }) => ({ command: 'search', ref, filters: { text } })),
  ],
  // Asked by agents, over the API alone.
  [Recall, 'elsewhere'],
  [ReadSession, 'elsewhere'],
  [
    ExplainCompaction,
    textOf(ExplainCompaction, ({ ref, compactionId }) => ({
      command: 'explain',
      ref,
      filters: { compaction: compactionId },
    })),
  ],
  [
    ExportProof,
    textOf(ExportProof, ({ ref, options }) =>
      options.content === 'clear' ? { command: 'export --proof', ref } : undefined,
    ),
  ],
  [GetLimits, 'none'],
  [GetRetentionDefaults, 'none'],
  [GetSummarizers, 'none'],
  [ListApiKeys, 'none'],
  [ListDeliveries, 'none'],
  [ListModels, 'none'],
  // Instructions to summarizers, and no message of a session.
  [ListOwnPrompts, 'none'],
  [ListSecrets, 'none'],
  [ListTenants, 'none'],
  [ListWebhooks, 'none'],
  [PlanCompaction, 'none'],
  // Over the API alone.
  [ListMessages, 'elsewhere'],
  [ReadOccupancy, 'none'],
  [ReadRetention, 'none'],
  [ShowModel, 'none'],
  [ShowOwnPrompt, 'none'],
  [ShowProtection, 'none'],
  [ShowSession, 'elsewhere'],
  [TraceMessage, 'none'],
  [WhatIf, 'none'],
];

/** What a command on this machine records before it prints text. */
export class TextReads {
  constructor(
    private readonly palimpsest: Pick<Palimpsest, 'commands' | 'queries'>,
    private readonly actor: Actor,
    /** Why, in the words of `--why`. */
    private readonly why: string | undefined,
  ) {}

  /** The queries of the service; a read of text is recorded before its answer is returned. */
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

  /** @throws {AppError} where it cannot be recorded: then the text is not printed. */
  async record({ command, ref, from = 0, to, filters = {} }: TextRead): Promise<void> {
    const { tenant, session } = ref;
    const newest = to ?? (await this.palimpsest.queries.execute(new ReadSession(ref))).to;
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
