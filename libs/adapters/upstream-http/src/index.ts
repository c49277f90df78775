export { httpUpstream, type UpstreamServer } from './http-upstream.js';
