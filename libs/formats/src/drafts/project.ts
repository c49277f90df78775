import { isName, LIMITS } from '@app/kernel';

/**
 * Returns the repository name of a remote (`https://host/owner/name.git`, `git@host:owner/name` or `owner/name`),
 * else the name of the working folder; `undefined` if it is not a valid name. The path is left out, because it
 * contains user names.
 */
export const projectIn = (given: {
  readonly repository?: string | undefined;
  readonly folder?: string | undefined;
}): { readonly project?: string } => {
  const repository = lastPart(given.repository)?.replace(/\.git$/, '');
  const project = repository || lastPart(given.folder);
  return project !== undefined && isName(project, LIMITS.project.max) ? { project } : {};
};

/** Returns the last part of a path or a URL, with separators of any system. */
const lastPart = (path: string | undefined): string | undefined =>
  path
    ?.split(/[/\\:]/)
    .filter((part) => part.trim() !== '')
    .at(-1);
