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
  ])('are told: %s', (line, read, modified) => expect(shellFilesOf(line)).toEqual({ read, modified }));

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
  ])('are none where it names none: %s', (line) =>
    expect(shellFilesOf(line.replace('echo a ->', 'echo a -\\>'))).toEqual({ read: [], modified: [] }),
  );

  it('are told of any text, in one pass', () =>
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
