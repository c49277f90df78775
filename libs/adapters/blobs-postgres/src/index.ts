export { PostgresBlobStore } from './postgres-blob-store.js';
