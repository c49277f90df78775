/** By it an answer of the gateway says which session its request went to. */
export const SESSION_HEADER = 'x-palimpsest-session';
