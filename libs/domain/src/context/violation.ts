/** A rule of a provider that a request breaks, and the place of the message that breaks it. */
export type Violation = { readonly rule: string; readonly at: number };

export const isBlankText = (text: unknown): boolean => typeof text !== 'string' || text.trim() === '';
