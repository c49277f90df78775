export { contextSubjects } from './description.js';
export * from './entry.js';
export * from './events.js';
export { freeingsOf } from './marks.js';
export * from './protection.js';
export { isEdit } from './recorded/provider-events.js';
export * from './request-parts.js';
export * from './state.js';
