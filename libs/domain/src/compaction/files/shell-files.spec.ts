import fc from 'fast-check';
import { shellFilesOf } from './shell-files.js';

describe('the files of a shell line', () => {
  it.each<[line: string, read: readonly string[], modified: readonly string[]]>([
    ["sed -n '1,260p' src/a.ts", ['src/a.ts'], []],
    ['cd /w && cat a.md ../b/c | head -n 50', ['a.md', '../b/c'], []],
    ['cat LICENSE', [], []],
    ["sed -i 's/a > b/c/' a.ts b.ts", [], ['a.ts', 'b.ts']],
    ['perl -pi -e "s/x/y/" a.pl', [], ['a.pl']],
    ['go test ./... 2>&1 | tee out/test.log', [], ['out/test.log']],
    ['make >build.log 2>errors.log', [], ['build.log']],
    ['make &> build.log', [], ['build.log']],
    ['echo hi >> notes', [], ['notes']],
    ['cp a/b.ts c/d.ts && mv e.ts f.ts', [], ['c/d.ts', 'f.ts']],
    ['sudo tee /etc/hosts < hosts.txt', [], ['/etc/hosts']],
    ["cat > a.md <<'EOF'\nx > y.md\nEOF\ncat b.md", ['b.md'], ['a.md']],
    ['git commit -m "$(cat <<\'EOF\'\nSay "a > b.ts"\nEOF\n)" > c.log', [], ['c.log']],
  ])('are found in: %s', (line, read, modified) =>
    expect(shellFilesOf(line)).toMatchObject({ read, modified, deleted: [] }),
  );

  it.each([
    'ls 2>/dev/null >/dev/null',
    'grep -rn "a > b.ts" src/c.ts',
    "awk '$1 > 3 { print }' rows.csv",
    'echo a -> b # > c.ts',
    'cat "$FILE" > "$OUT"',
    'cat *.ts > $(mktemp)',
    'curl https://example.com/a.json',
    'test 1 >&2',
    'for f in *.gif; do echo "$f"; done',
    "node -e 'if (a > b.c) x()'",
    'echo a\\>b.ts',
  ])('are empty for: %s', (line) =>
    expect(shellFilesOf(line.replace('echo a ->', 'echo a -\\>'))).toEqual({
      read: [],
      modified: [],
      deleted: [],
      renamed: [],
    }),
  );

  it.each<[string, string[], [string, string][], string[]]>([
    ['rm -rf a.ts src/old', ['a.ts', 'src/old'], [], []],
    ['git rm --cached b.ts', ['b.ts'], [], []],
    ['mv a.ts b.ts', [], [['a.ts', 'b.ts']], ['b.ts']],
    ['git mv src/a.ts src/b.ts && rm c.ts', ['c.ts'], [['src/a.ts', 'src/b.ts']], ['src/b.ts']],
    [
      'mv a.ts b.ts lib/',
      [],
      [
        ['a.ts', 'lib/a.ts'],
        ['b.ts', 'lib/b.ts'],
      ],
      ['lib/a.ts', 'lib/b.ts'],
    ],
    ['rm a.ts; touch a.ts', [], [], ['a.ts']],
    ['touch a.ts; rm a.ts', ['a.ts'], [], []],
    ['rm "$FILE" *.ts', [], [], []],
  ])('include deleted and renamed files: %s', (line, deleted, renamed, modified) =>
    expect(shellFilesOf(line)).toEqual({
      read: [],
      modified,
      deleted,
      renamed: renamed.map(([from, to]) => ({ from, to })),
    }),
  );

  it('are found in any text in linear time', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('"', "'", '\\', '<<EOF', '\n', 'EOF', ' ', '>', '<', '&', '|', '$(', 'a.ts'),
        ),
        (parts) => {
          const { read, modified } = shellFilesOf(parts.join(''));
          for (const path of [...read, ...modified]) expect(path).toMatch(/a\.ts|EOF/);
        },
      ),
    ));
});
