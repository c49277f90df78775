export type { Piece } from './core/align.js';
export { handOver, Mirrors, type Paired, pair, toolNames } from './core/mirrors.js';
export type { AdapterOptions } from './core/options.js';
export { type Context, SessionMirror, type Turn } from './core/session-mirror.js';
