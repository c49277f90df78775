/** By these labels a session that a client of the gateway has begun says which API that speaks, and how it sends its system prompt. */
export const WIRE_LABEL = 'gateway';
export const SYSTEM_LABEL = 'gateway-system';
