import { fileOperationsOf, NO_FILE_OPERATIONS } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { assistant, call, result, user } from '@app/testing';

const operationsOf = (...calls: readonly [name: string, input: JsonObject][]) =>
  fileOperationsOf(
    [{ message: assistant('a', ...calls.map(([name, input], at) => call(`c${at}`, name, input))) }],
    NO_FILE_OPERATIONS,
  );

describe('file operations', () => {
  it.each<[string, JsonObject]>([
    ['read_file', { path: 'a' }],
    ['Read', { file_path: 'a' }],
    ['view', { filePath: 'a' }],
    ['cat', { file: 'a' }],
    ['editor', { command: 'view', path: 'a' }],
  ])('include a read by %s %j', (name, input) =>
    expect(operationsOf([name, input])).toEqual({ read: ['a'], modified: [] }),
  );

  it.each<[string, JsonObject]>([
    ['Write', { file_path: 'a' }],
    ['NotebookEdit', { notebook_path: 'a' }],
    ['apply_patch', { path: 'a' }],
    ['editor', { command: 'str_replace', path: 'a' }],
  ])('include a change by %s %j', (name, input) =>
    expect(operationsOf([name, input])).toEqual({ read: [], modified: ['a'] }),
  );

  it.each<[string, JsonObject]>([
    ['delete_file', { target_file: 'a' }],
    ['remove_file', { path: 'a' }],
  ])('include a deletion by %s %j', (name, input) =>
    expect(operationsOf([name, input])).toEqual({ read: [], modified: [], deleted: ['a'] }),
  );

  it.each<[string, JsonObject]>([
    ['bash', { command: 'rm -rf a', path: 'a' }],
    ['Read', { path: ' ' }],
    ['Read', { path: 7 }],
    ['Read', { path: 'a\nb' }],
    ['Read', { path: 'x'.repeat(1_001) }],
    ['grep', { path: 'a' }],
  ])('are empty for %s %j', (name, input) => expect(operationsOf([name, input])).toEqual(NO_FILE_OPERATIONS));

  // Holds rule 5.55.
  it('list each file once, under its newest operation, changes first', () => {
    expect(operationsOf(['Read', { path: 'a' }], ['Read', { path: 'b' }], ['Read', { path: 'a' }])).toEqual({
      read: ['b', 'a'],
      modified: [],
    });
    expect(operationsOf(['Read', { path: 'a' }], ['Edit', { path: 'a' }], ['Read', { path: 'a' }])).toEqual({
      read: [],
      modified: ['a'],
    });
  });

  it.each<[string, JsonObject]>([
    ['apply_patch', { _raw: '*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch' }],
    ['exec_command', { cmd: "cd /w && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a\n+x\nEOF" }],
    ['shell', { command: ['bash', '-lc', "cat > a <<'EOF'\nx > b\nEOF\necho done"] }],
    ['bash', { command: "sed -i '' -e 's/x/y/' ./a.ts; grep -n 'x > b' c" }],
  ])('include the files of the patch or shell line in %s %j', (name, input) => {
    const { read, modified } = operationsOf([name, input]);
    expect([read, modified.map((path) => path.replace('./a.ts', 'a'))]).toEqual([[], ['a']]);
  });

  it('include the files of a command that is given as an array of words', () =>
    expect(operationsOf(['shell', { command: ['cat', 'src/a.ts'] }])).toEqual({
      read: ['src/a.ts'],
      modified: [],
    }));

  // Holds rule 6.11.
  it('leave out files of rejected edits and failed patches', () => {
    const patch = '*** Begin Patch\n*** Update File: c\n*** End Patch';
    const entries = [
      assistant('a1', call('t1', 'Edit', { path: 'a' }), call('t2', 'Edit', { path: 'b' })),
      user(
        'u1',
        { ...result('t1', 'No such text.'), is_error: true },
        result('t2', 'ERROR:\nNothing to replace.'),
      ),
      assistant('a2', call('t3', 'apply_patch', { patch })),
      user('u2', result('t3', 'apply_patch verification failed: no such lines')),
    ];
    expect(
      fileOperationsOf(
        entries.map((message) => ({ message })),
        NO_FILE_OPERATIONS,
      ),
    ).toEqual(NO_FILE_OPERATIONS);
  });

  it('include the file that the result names as open in the editor', () => {
    const entries = [
      assistant('a1', call('t1', 'open', { path: 'src/a.py' }), call('t2', 'edit', { start_line: 3 })),
      user('u1', result('t1', '…'), result('t2', 'File updated.\n[File: src/a.py (12 lines total)]\n1:x')),
    ];
    expect(
      fileOperationsOf(
        entries.map((message) => ({ message })),
        NO_FILE_OPERATIONS,
      ),
    ).toEqual({
      read: [],
      modified: ['src/a.py'],
    });
  });

  // Holds rule 5.55.
  it('come from assistant messages only', () =>
    expect(
      fileOperationsOf([{ message: user('u', call('c', 'Read', { path: 'a' })) }], NO_FILE_OPERATIONS),
    ).toEqual(NO_FILE_OPERATIONS));

  it('are bounded and drop the oldest first', () => {
    const many = operationsOf(
      ...Array.from({ length: 600 }, (_, n): [string, JsonObject] => ['Read', { path: `f${n}` }]),
    );
    expect(many.read).toHaveLength(500);
    expect(many.read[0]).toBe('f100');
  });
});
