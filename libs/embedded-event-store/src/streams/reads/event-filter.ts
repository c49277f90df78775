import type { StoredEvent } from '../../log/record.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { compileExpression } from './dotnet-expression.js';

/** A filter of $all, and the interval of its checkpoints. */
export type EventFilter = {
  readonly matches: (event: StoredEvent) => boolean;
  /** A checkpoint is sent after this many considered events. */
  readonly checkpointInterval: number;
};

type Expression = { getRegex(): string; getPrefixList(): string[] };
/** The common shape in the requests of streams and persistent subscriptions. */
export type FilterOptions = {
  getStreamIdentifier(): Expression | undefined;
  getEventType(): Expression | undefined;
  hasMax(): boolean;
  getMax(): number;
  getCheckpointintervalmultiplier(): number;
};
/** A serializable filter. */
export type FilterSpec = {
  readonly on: 'stream' | 'type';
  readonly regex?: string;
  readonly prefixes?: readonly string[];
};

/** The default number of events between two checkpoints. */
const SEARCH_WINDOW = 32;

/** @throws {GrpcFailure} INVALID_ARGUMENT. */
export const filterOf = (options: FilterOptions): EventFilter => {
  const window = options.hasMax() ? options.getMax() : SEARCH_WINDOW;
  const interval = window * options.getCheckpointintervalmultiplier();
  if (interval <= 0)
    throw invalidArgument('the search window and the checkpoint interval must be greater than 0');
  return { matches: matcherOf(filterSpecOf(options)), checkpointInterval: interval };
};

/** @throws {GrpcFailure} INVALID_ARGUMENT. */
export const filterSpecOf = (options: FilterOptions): FilterSpec => {
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  if (!expression) throw invalidArgument('a filter needs a stream name or an event type');
  const on = byStream ? 'stream' : 'type';
  const regex = expression.getRegex();
  const prefixes = expression.getPrefixList();
  if (regex !== '') return { on, regex };
  if (prefixes.length > 0) return { on, prefixes };
  throw invalidArgument('a filter needs a regular expression or prefixes');
};

/** @throws {GrpcFailure} INVALID_ARGUMENT as {@link compileExpression}. */
export const matcherOf = ({ on, regex, prefixes = [] }: FilterSpec): ((event: StoredEvent) => boolean) => {
  const subject = on === 'stream' ? (event: StoredEvent) => event.stream : (event: StoredEvent) => event.type;
  if (regex === undefined) return (event) => prefixes.some((prefix) => subject(event).startsWith(prefix));
  const isMatch = compileExpression(regex);
  return (event) => isMatch(subject(event));
};
