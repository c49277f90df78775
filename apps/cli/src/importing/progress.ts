import { SingleBar } from 'cli-progress';
import { visibleLine } from '../output/visible.js';
import type { Source } from './source.js';

/** `isWanted`: on stderr where it is no terminal as well, a line every two seconds. */
export type ProgressOptions = { readonly isWanted?: boolean };

/** Shows on stderr how far the bytes of a source have been taken, how fast, and how long the rest will take. */
export class Progress {
  private readonly bar: SingleBar | undefined;
  private readonly startedAt = performance.now();
  private taken = 0;

  constructor({ name, size }: Source, { isWanted = false }: ProgressOptions = {}) {
    if ((!process.stderr.isTTY && !isWanted) || size === 0) return;
    this.bar = new SingleBar({
      format: `${visibleLine(name)} [{bar}] {percentage} % | {rate} MB/s | {eta_formatted} left`,
      stream: process.stderr,
      clearOnComplete: process.stderr.isTTY === true,
      hideCursor: true,
      noTTYOutput: isWanted,
    });
    this.bar.start(size, 0, { rate: '0.0' });
  }

  async *over(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    this.taken = 0;
    for await (const chunk of bytes) {
      yield chunk;
      this.taken += chunk.length;
      const seconds = (performance.now() - this.startedAt) / 1_000;
      this.bar?.update(this.taken, { rate: (this.taken / 1e6 / seconds).toFixed(1) });
    }
  }

  stop(): void {
    this.bar?.stop();
  }
}
