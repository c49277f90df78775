/** What a request holds in the place of messages that it leaves out. */
export const GAP_TEXT =
  '[Earlier messages were left out of this request to make it fit. They are kept in the log of the session.]';
/** What that costs, with room to spare for any tokenizer. */
export const GAP_TOKENS = 40;
