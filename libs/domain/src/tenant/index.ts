export * from './commands.js';
export { decide as decideTenant } from './decide/decide.js';
export { DEFAULT_TENANT_LIMITS, recordedLimits } from './default-limits.js';
export * from './events.js';
export { evolve as evolveTenant } from './evolve.js';
export * from './limits.js';
export * from './role.js';
export * from './state.js';
export * from './summarizers.js';
