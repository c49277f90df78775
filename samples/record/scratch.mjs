import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Git as it behaves on no machine in particular: no configuration of the user's, one author, one time. */
export const GIT_ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'Sample Agent',
  GIT_AUTHOR_EMAIL: 'agent@example.invalid',
  GIT_COMMITTER_NAME: 'Sample Agent',
  GIT_COMMITTER_EMAIL: 'agent@example.invalid',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/**
 * Makes a copy of the repository as it was at `commit`, in a folder of its own, as a new repository with one commit;
 * `node_modules` is linked. The samples stay out: a search in the session is not to find the session.
 *
 * @param {string} project
 * @param {string} commit
 */
export const makeScratch = async (project, commit) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-sample-')));
  const env = { ...process.env, ...GIT_ENVIRONMENT };
  const git = (...args) => run('git', args, { cwd: root, env });
  const archive = join(root, '.copy.tar');
  await run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: project }).catch((cause) => {
    throw new Error(`${commit} is not in this clone: fetch the whole history, or name a commit`, { cause });
  });
  await run('git', ['archive', `--output=${archive}`, commit, '.', ':(exclude)samples'], { cwd: project });
  await run('tar', ['-xf', archive, '-C', root]);
  await rm(archive);
  await symlink(await realpath(join(project, 'node_modules')), join(root, 'node_modules'));
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--message=Start from the project as it is');
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
};
