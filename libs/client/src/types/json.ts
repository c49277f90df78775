/** What a provider defines, and the API passes on as it is. */
export type JsonObject = { readonly [name: string]: unknown };
