/** Labels of gateway sessions: the API that the client uses, and how it sends its system prompt. */
export const WIRE_LABEL = 'gateway';
export const SYSTEM_LABEL = 'gateway-system';
