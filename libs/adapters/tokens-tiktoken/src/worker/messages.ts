/** Texts to be counted by a worker. */
export type CountOrder = { readonly id: number; readonly texts: readonly string[] };
/** Their tokens, in the same order. */
export type CountAnswer = { readonly id: number; readonly counts: readonly number[] };
/** The order to drop all words that were counted, which has no answer. */
export const FORGET = 'forget';
