/** Reference of a command beyond its description, arguments and options. */
export type CommandNotes = {
  /** Behaviour that the description leaves out. */
  readonly details?: string;
  /** Result with `--json`. */
  readonly json?: string;
  /** Command lines that work as they are, or with the words in capitals replaced. */
  readonly examples?: readonly string[];
  /** Guide in `docs/guides`, without the folder, with an anchor where one section is meant. */
  readonly guide?: string;
};
