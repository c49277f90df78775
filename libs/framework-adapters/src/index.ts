export { handOver, Mirrors, type Paired, pair, toolNames } from './core/mirrors.js';
export type { AdapterOptions } from './core/options.js';
export type { Piece } from './core/pieces.js';
export { type Context, SessionMirror, type Turn } from './core/session-mirror.js';
