/** The text that replaces omitted messages in a request. */
export const GAP_TEXT =
  '[Earlier messages were left out of this request to make it fit. They are kept in the log of the session.]';
/** Upper bound of its tokens, for any tokenizer. */
export const GAP_TOKENS = 40;
