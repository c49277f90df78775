import type { Json } from '@app/kernel';

/** The parts of a document, in order. */
export type Found =
  | { readonly kind: 'begin'; readonly isList: boolean; readonly line: number }
  | { readonly kind: 'element'; readonly value: Json; readonly line: number; readonly size: number }
  | { readonly kind: 'list'; readonly name: string }
  | { readonly kind: 'list-end' }
  | { readonly kind: 'member'; readonly name: string; readonly value: Json; readonly size: number }
  | { readonly kind: 'fault'; readonly line: number; readonly reason: string }
  | { readonly kind: 'end' };
