/** What the modules of the API ask for by name. */
export const ACCESS = Symbol('Access');
export const OPERATIONS = Symbol('Operations');
export const READ_MODELS = Symbol('ReadModels');
export const IMPORTER = Symbol('TranscriptImporter');
export const OUTCOMES = Symbol('OutcomeWaiter');
export const EVENT_HUB = Symbol('EventHub');
export const STREAM_PACE = Symbol('StreamPace');
