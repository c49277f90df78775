/** What the modules of the API ask for by name. */
export const ACCESS = Symbol('Access');
export const OPERATIONS = Symbol('Operations');
export const READ_MODELS = Symbol('ReadModels');
