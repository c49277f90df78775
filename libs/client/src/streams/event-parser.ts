/** One event, or with `data` missing no event but a place to resume from. */
export type ParsedEvent = { readonly id?: string; readonly event?: string; readonly data?: string };

/** More than an event ever is: what does not end by then is no stream of events. */
const CHARACTERS_MAX = 64 * 1_048_576;

/**
 * Takes text/event-stream apart. Ids without data come too, which parsers made for browsers keep to themselves: with
 * its heartbeats the service says how far it has read past events that the reader does not want.
 */
export class EventParser {
  private rest = '';
  private data: string[] = [];
  private id: string | undefined;
  private event: string | undefined;

  constructor(private readonly onRetry: (ms: number) => void = () => {}) {}

  /** What is complete with this part of the text. @throws {RangeError} for an event without an end. */
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
    return []; // Other names are comments, or fields that are still to be invented.
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
