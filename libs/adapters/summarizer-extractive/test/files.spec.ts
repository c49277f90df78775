import { sectionOf, summarize } from './sessions.js';

describe('files', () => {
  it('are the given ones, changed files first if space is short', async () => {
    const fileOperations = {
      read: Array.from({ length: 300 }, (_, at) => `src/read-${at}.ts`),
      modified: ['src/old.ts', 'src/new.ts'],
    };
    const files = sectionOf(await summarize({ fileOperations, sizeMax: 300 }), 'Files');
    expect(files.slice(0, 3)).toEqual(['Modified:', '- src/old.ts', '- src/new.ts']);
    expect(files.at(-1)).toBe('- src/read-299.ts');
  });
});

describe('a file that was changed by its full name and read from its folder', () => {
  it('is not listed as read, but a bare name may be another file', async () => {
    const fileOperations = { read: ['src/a.ts', 'a.ts'], modified: ['/repo/src/a.ts'] };
    expect(sectionOf(await summarize({ fileOperations }), 'Files')).toEqual([
      'Modified:',
      '- /repo/src/a.ts',
      'Read:',
      '- a.ts',
    ]);
  });
});
