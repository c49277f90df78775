/** Injection tokens of the API's modules for parts that are not classes. */
export const READ_MODELS = Symbol('ReadModels');
export const TRANSPARENCY_LOGS = Symbol('TransparencyLogs');
export const OWN_WITNESS = Symbol('OwnWitness');
/** Function that returns the facts of an event without text. */
export const FACTS_OF = Symbol('FactsOf');
export const GATEWAY = Symbol('Gateway');
/** Default profile of sessions that the gateway opens. */
export const GATEWAY_PROFILE = Symbol('GatewayProfile');
/** Whether such sessions have the recall tool, unless client or profile decides. */
export const GATEWAY_RECALL = Symbol('GatewayRecall');
/** Function that returns the directory of API keys, once it is open. */
export const ACCESS = Symbol('Access');
export const SECRET_BOX = Symbol('SecretBox');
export const KEYED_DIGESTS = Symbol('KeyedDigests');
export const STREAM_PACE = Symbol('StreamPace');
