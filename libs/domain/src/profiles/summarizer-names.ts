/** Names of tenants' summarizers, and of the secrets that they use. */
export const SUMMARIZER_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Names of tenants' prompts, with an optional version. */
export const PROMPT_NAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?:@[1-9]\d{0,5})?$/;
