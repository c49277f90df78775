import { createHash } from 'node:crypto';
import { IdTable } from './id-index/id-table.js';

/**
 * Returns `text` with `_` for characters that a session id cannot have; a long text is cut and gets a digest suffix.
 */
export const sessionIdPart = (text: string, lengthMax: number): string => {
  const clean = text.replace(/[^A-Za-z0-9_.:-]/g, '_').replace(/^[^A-Za-z0-9_]+/, '');
  if (clean === '') return 'session';
  return clean.length <= lengthMax ? clean : `${clean.slice(0, lengthMax - 9)}-${digestOf(text, 8)}`;
};

/** The file's name, without folders and ending. */
export const stemOf = (name: string): string => {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  return base.replace(/(?<=.)\.[^.]*$/, '');
};

/** `text` as printable ASCII without blanks. */
export const messageIdFrom = (text: string): string => {
  const clean = text.replace(/[^\x21-\x7e]/g, '_');
  return clean.length <= MESSAGE_ID_MAX
    ? clean
    : `${clean.slice(0, MESSAGE_ID_MAX - 9)}-${digestOf(text, 8)}`;
};
/** Leaves room for the suffix of {@link UniqueIds} under the 200 characters that a message id may have. */
const MESSAGE_ID_MAX = 180;

/** Gives out ids: the second that asks for the same one gets it with the first suffix that is free. */
export class UniqueIds {
  readonly #taken = new IdTable();

  has(id: string): boolean {
    return this.#taken.has(id);
  }

  take(id: string): string {
    let free = id;
    let ordinal = this.#taken.get(id) ?? 1;
    while (this.#taken.has(free)) {
      ordinal += 1;
      free = `${id}-${ordinal}`;
    }
    if (free !== id) this.#taken.set(id, ordinal);
    this.#taken.set(free, 1);
    return free;
  }
}

/** The first `length` hexadecimal digits of the SHA-256 of `text`. */
export const digestOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);
