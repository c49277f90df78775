export { restoreTexts } from './codec/claim-check.js';
export { withContent } from './codec/content/part-content.js';
export { parseSessionEvent } from './codec/schema.js';
export type { LogInstallation } from './installation.js';
export * from './json-schemas.js';
export * from './open.js';
