/** Range of the read-time stages: messages before both indexes; `waiting` is the index of the oldest call without a result. */
export type Reach = { readonly tail: number; readonly waiting: number };
