import { StringDecoder } from 'node:string_decoder';

const LINES_KEPT = 200;
const LINE_MAX = 2_000;

/** The newest lines of a byte stream, kept for an error message, each passed once to a listener. */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  readonly #lines: string[] = [];
  #unfinished = '';

  constructor(private readonly watch: (line: string) => void = () => {}) {}

  push(chunk: Buffer): void {
    const parts = (this.#unfinished + this.#decoder.write(chunk)).split('\n');
    this.#unfinished = (parts.pop() ?? '').slice(0, LINE_MAX);
    for (const part of parts) {
      const line = part.slice(0, LINE_MAX);
      this.#lines.push(line);
      this.watch(line);
    }
    if (this.#lines.length > LINES_KEPT) this.#lines.splice(0, this.#lines.length - LINES_KEPT);
  }

  /** Oldest first, including an unfinished line. */
  newest(): readonly string[] {
    return this.#unfinished === '' ? [...this.#lines] : [...this.#lines, this.#unfinished];
  }
}
