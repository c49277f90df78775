// The licences of the npm packages in a bundle.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|notice|copying)/i;

/** Returns the innermost package of `node_modules` that contains a file, or `undefined`. */
const packageOf = (file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];

/** Returns name, version and licence texts of every package among the files, sorted by name; '' without packages. */
export const noticesOf = async (files) => {
  const folders = [...new Set(files.flatMap((file) => packageOf(file) ?? []))];
  const notices = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const names = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file)).sort();
      const texts = await Promise.all(names.map((file) => readFile(join(folder, file), 'utf8')));
      return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
    }),
  );
  return notices.sort().join(`\n\n${'-'.repeat(80)}\n\n`);
};
