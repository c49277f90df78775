/** Injection tokens of the API's modules for parts that are not classes. */
export const GATEWAY = Symbol('Gateway');
/** Default profile of sessions that the gateway opens. */
export const GATEWAY_PROFILE = Symbol('GatewayProfile');
/** Whether such sessions have the recall tool, unless client or profile decides. */
export const GATEWAY_RECALL = Symbol('GatewayRecall');
/** Function that returns the directory of API keys, once it is open. */
export const ACCESS = Symbol('Access');
export const SECRET_BOX = Symbol('SecretBox');
export const STREAM_PACE = Symbol('StreamPace');
