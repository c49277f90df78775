import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Settings } from '../processes/service-process.js';

/** Loaded before a program: its wall clock is ahead by the milliseconds in the file; its monotonic clock is not. */
const PRELOAD = `
import { readFileSync } from 'node:fs';
const { now } = Date;
let shiftMs = 0;
const look = () => {
  try {
    shiftMs = Number(readFileSync(process.env.SHIFTED_CLOCK_FILE, 'utf8')) || 0;
  } catch {}
};
look();
setInterval(look, 100).unref();
const shifted = () => now() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [shifted()] : values, made),
  get: (target, name) => (name === 'now' ? shifted : Reflect.get(target, name)),
});
`;

/** The wall clock of one program, which can be made to jump. */
export class ShiftedClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-clock-'));
  readonly #file = join(this.#folder, 'shift');

  constructor() {
    writeFileSync(join(this.#folder, 'clock.mjs'), PRELOAD);
    this.jump(0);
  }

  /** Environment for the start of the program. */
  get settings(): Settings {
    return {
      NODE_OPTIONS: `--import=${pathToFileURL(join(this.#folder, 'clock.mjs')).href}`,
      SHIFTED_CLOCK_FILE: this.#file,
    };
  }

  /** Within a tenth of a second it is `ms` ahead of the machine's, or behind it. */
  jump(ms: number): void {
    writeFileSync(this.#file, String(ms));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
