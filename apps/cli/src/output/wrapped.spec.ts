import { wrapped } from './wrapped.js';

describe('a wrapped line', () => {
  it('stays unchanged if it fits', () => {
    expect(wrapped('cut       before message-9', 10, 26)).toBe('cut       before message-9');
  });

  it('breaks at spaces, keeps aligned text and indents further lines', () => {
    expect(wrapped('  input      18 messages, 13 counted tokens', 13, 28)).toBe(
      ['  input      18 messages, 13', `${' '.repeat(13)}counted tokens`].join('\n'),
    );
  });

  it('keeps a word that is longer than the line', () => {
    expect(wrapped(`a ${'x'.repeat(12)} b`, 2, 8)).toBe(`a\n  ${'x'.repeat(12)}\n  b`);
  });
});
