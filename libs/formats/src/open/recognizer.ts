import type { Json } from '@app/kernel';
import { FORMATS, type Format } from '../formats.js';

/** Examines values in order until one identifies the format. */
export class Recognizer {
  #format: Format | undefined;
  #isCertain = false;

  /** The format so far. */
  get format(): Format | undefined {
    return this.#format;
  }

  get isCertain(): boolean {
    return this.#isCertain;
  }

  weigh(value: Json): void {
    if (this.#isCertain) return;
    for (const format of FORMATS) {
      const recognition = format.recognize(value);
      if (recognition === 'no') continue;
      if (recognition === 'certain' || this.#format === undefined) this.#format = format;
      this.#isCertain = recognition === 'certain';
      if (this.#isCertain) return;
    }
  }
}
