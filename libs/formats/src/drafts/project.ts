import { isName, LIMITS } from '@app/kernel';

/**
 * Returns the name of the repository that a remote names (`https://host/owner/name.git`, `git@host:owner/name` or
 * `owner/name`), otherwise of the working folder; none where that is not a name. The path itself stays out: it names users.
 */
export const projectIn = (given: {
  readonly repository?: string | undefined;
  readonly folder?: string | undefined;
}): { readonly project?: string } => {
  const repository = lastPart(given.repository)?.replace(/\.git$/, '');
  const project = repository || lastPart(given.folder);
  return project !== undefined && isName(project, LIMITS.project.max) ? { project } : {};
};

/** Of a path or an URL, with separators of any system. */
const lastPart = (path: string | undefined): string | undefined =>
  path
    ?.split(/[/\\:]/)
    .filter((part) => part.trim() !== '')
    .at(-1);
