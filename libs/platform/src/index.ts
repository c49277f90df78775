import 'reflect-metadata';

export * from './config.js';
export * from './log-problem.js';
export * from './open-palimpsest.js';
