import { wrapped } from '../output/wrapped.js';

/** Columns of the demo's lines, which the README quotes. */
export const WIDTH = 80;
export const INDENT = 3;

export const indent = (text: string): string => text.replace(/^/gm, ' '.repeat(INDENT));
export const prose = (text: string): string => wrapped(text, INDENT, WIDTH);
