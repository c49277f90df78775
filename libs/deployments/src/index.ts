export type { Deployment, Part } from './deployment.js';
export { startEmbedded } from './embedded.js';
export { type ProcessDeployment, startInProcesses } from './in-processes.js';
export { type KillingReport, killUnderLoad } from './killing/kill-under-load.js';
export { type LogLine, ServiceProcess } from './processes/service-process.js';
export { ADMIN_KEY, sharedSettings } from './settings.js';
