/** How far the read-time stages reach: messages before both places; `waiting` is that of the oldest call without a result. */
export type Reach = { readonly tail: number; readonly waiting: number };
