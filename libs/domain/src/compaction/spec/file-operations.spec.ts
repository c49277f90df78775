import { fileOperationsOf, NO_FILE_OPERATIONS } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { assistant, call, user } from '@app/testing';

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
  ])('are a reading by %s %j', (name, input) =>
    expect(operationsOf([name, input])).toEqual({ read: ['a'], modified: [] }),
  );

  it.each<[string, JsonObject]>([
    ['Write', { file_path: 'a' }],
    ['NotebookEdit', { notebook_path: 'a' }],
    ['apply_patch', { path: 'a' }],
    ['delete_file', { target_file: 'a' }],
    ['editor', { command: 'str_replace', path: 'a' }],
  ])('are a change by %s %j', (name, input) =>
    expect(operationsOf([name, input])).toEqual({ read: [], modified: ['a'] }),
  );

  it.each<[string, JsonObject]>([
    ['bash', { command: 'rm -rf a', path: 'a' }],
    ['Read', { path: ' ' }],
    ['Read', { path: 7 }],
    ['Read', { path: 'a\nb' }],
    ['Read', { path: 'x'.repeat(1_001) }],
    ['grep', { path: 'a' }],
  ])('are none by %s %j', (name, input) => expect(operationsOf([name, input])).toEqual(NO_FILE_OPERATIONS));

  it('name a file once, by its newest operation, changes first', () => {
    expect(operationsOf(['Read', { path: 'a' }], ['Read', { path: 'b' }], ['Read', { path: 'a' }])).toEqual({
      read: ['b', 'a'],
      modified: [],
    });
    expect(operationsOf(['Read', { path: 'a' }], ['Edit', { path: 'a' }], ['Read', { path: 'a' }])).toEqual({
      read: [],
      modified: ['a'],
    });
  });

  it('are made by the assistant alone', () =>
    expect(
      fileOperationsOf([{ message: user('u', call('c', 'Read', { path: 'a' })) }], NO_FILE_OPERATIONS),
    ).toEqual(NO_FILE_OPERATIONS));

  it('are bounded: the oldest go first', () => {
    const many = operationsOf(
      ...Array.from({ length: 600 }, (_, n): [string, JsonObject] => ['Read', { path: `f${n}` }]),
    );
    expect(many.read).toHaveLength(500);
    expect(many.read[0]).toBe('f100');
  });
});
