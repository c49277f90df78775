export { startChaosDeployment } from './chaos/chaos-deployment.js';
export {
  ALL_DISTURBANCES,
  type Disturbance,
  disturbanceName,
  RECOVERED_WITHIN_MS,
  STALL_MS,
} from './chaos/disturbances.js';
export { Link } from './chaos/link.js';
export { runChaos } from './chaos/run-chaos.js';
export { damageFiles, damages, verdictOn } from './damage/places.js';
export { contentOf, makeSample, onCopyOf, removeSample, type Sample } from './damage/sample.js';
export type { Deployment } from './deployment.js';
export { startEmbedded } from './embedded.js';
export { eraseAmongMany } from './erasures/erase-among-many.js';
export { filesWith, filesWithDigest } from './erasures/planted.js';
export { type ProcessDeployment, startInProcesses } from './in-processes.js';
export { killUnderLoad } from './kills/kill-under-load.js';
export { lastingPort } from './processes/lasting-port.js';
export { ServiceProcess } from './processes/service-process.js';
export { ADMIN_KEY, sharedSettings } from './settings.js';
