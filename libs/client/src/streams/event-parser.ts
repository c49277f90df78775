/** An event; without `data`, only a position to resume from. */
export type ParsedEvent = { readonly id?: string; readonly event?: string; readonly data?: string };

/** Maximum UTF-16 units of an event; a longer one means that the answer is no event stream. */
const CHARACTERS_MAX = 64 * 1_048_576;

/**
 * Parses `text/event-stream`. Also returns IDs without data, which browser parsers hide: heartbeats contain the position after
 * events that the reader has filtered out.
 */
export class EventParser {
  private rest = '';
  private data: string[] = [];
  private id: string | undefined;
  private event: string | undefined;

  constructor(private readonly onRetry: (ms: number) => void = () => {}) {}

  /** Returns the events that this part of the text completes. @throws {RangeError} for an event above the limit. */
  feed(text: string): readonly ParsedEvent[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    if (this.rest.length > CHARACTERS_MAX) throw new RangeError('a line has no end');
    return lines.flatMap((line) => (line === '' ? this.dispatch() : this.take(line)));
  }

  private take(line: string): readonly ParsedEvent[] {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.data.push(value);
    if (name === 'event') this.event = value;
    if (name === 'id' && !value.includes('\0')) this.id = value;
    if (name === 'retry' && /^\d{1,9}$/.test(value)) this.onRetry(Number(value));
    return []; // Other names are comments or unknown fields.
  }

  private dispatch(): readonly ParsedEvent[] {
    const { id, event, data } = this;
    this.id = undefined;
    this.event = undefined;
    this.data = [];
    if (id === undefined && data.length === 0) return [];
    return [
      {
        ...(id !== undefined && { id }),
        ...(event !== undefined && { event }),
        ...(data.length > 0 && { data: data.join('\n') }),
      },
    ];
  }
}
