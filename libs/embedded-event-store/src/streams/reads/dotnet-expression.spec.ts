import { compileExpression } from './dotnet-expression.js';

/** Guarantee: filters match as in EventStoreDB, which uses .NET's regular expressions. */
it.each<[string, string, boolean]>([
  [String.raw`\Aorder-\d+\z`, 'order-12', true],
  [String.raw`\Aorder-\d+\z`, 'my-order-12', false],
  [String.raw`order\Z`, 'the-order', true],
  [String.raw`order\Z`, 'orders', false],
  [String.raw`^\p{Lu}`, 'Ärger', true],
  [String.raw`^\p{Lu}`, 'ärger', false],
  [String.raw`^\w+$`, 'größe', true],
  [String.raw`^[\w-]+$`, 'größe-1', true],
  [String.raw`^\W+$`, 'größe', false],
  [String.raw`^\d$`, '٣', true],
  [String.raw`^\S+$`, 'a\u00a0b', false],
  ['(?i)^ORDER', 'order-1', true],
  [String.raw`^\u00e4`, 'ä', true],
  ['^[^$].*', '$ce-order', false],
  ['^[^$].*', 'order', true],
  ['^[]a]+$', 'a]', true],
  ['^[[a]+$', '[a', true],
  ['^(?<kind>order|bill)-', 'bill-1', true],
  [String.raw`^a\.b$`, 'axb', false],
])('matches %s against %s: %s', (regex, text, isMatch) => {
  expect(compileExpression(regex)(text)).toBe(isMatch);
});

it.each([
  String.raw`^(a)\1$`,
  '(?=a)b',
  '(?<!a)b',
  '(?>a+)b',
  '[a-z-[aeiou]]',
  String.raw`[\W_]`,
  String.raw`\Qa\E`,
  '(',
  '[a',
])('rejects %s and names the unsupported syntax', (regex) => {
  expect(() => compileExpression(regex)).toThrow(/not supported \(.+\): remove backreferences/);
});

it('runs in linear time where backtracking engines are exponential', () => {
  expect(compileExpression('^(a+)+$')(`${'a'.repeat(36)}b`)).toBe(false);
  expect(compileExpression('^(a|aa)*$')(`${'a'.repeat(10_000)}b`)).toBe(false);
});
