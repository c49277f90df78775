/** Header of gateway answers with the ID of the session. */
export const SESSION_HEADER = 'x-palimpsest-session';
