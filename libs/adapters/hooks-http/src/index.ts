export { type HttpHookOptions, httpHook } from './http-hook.js';
