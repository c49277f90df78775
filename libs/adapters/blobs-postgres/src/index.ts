export { type BlobTables, PostgresBlobStore } from './postgres-blob-store.js';
