export { httpUpstream } from './http-upstream.js';
