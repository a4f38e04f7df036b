/**
 * Which options a command takes. `but`: every one except these; a short one is refused wherever its letter
 * stands in a group, a long one also when it is shortened. `only`: these and no other; `-k=` has a value,
 * `-I?` may have one attached, `-#` stands for a number, `--sort=` takes its value after `=` or as next word.
 */
export type Options = { but: readonly string[] } | { only: readonly string[] };

/** What else has to hold for the words after the name. All fields are about literal words. */
export interface Words {
  /** At most so many that are no options: uniq writes into its second one. */
  most?: number;
  /** Words that are no options begin so: `date 0101` would set the clock. */
  begin?: string;
  /** The word right behind the name is one of these; if it is not `required` there may be options alone. */
  first?: { of: readonly string[]; required: boolean };
  /** One of these options has to be there: always, or if there are words that are no options. */
  needs?: { of: readonly string[]; when: 'always' | 'words' };
  /** No word may match this regular expression. */
  never?: string;
}

/** One command that runs before `plan init` where there is no sandbox (D22). */
export interface ReadOnlyCommand {
  /** `ls`, or with the sub-command `git log`. */
  name: string;
  does: string;
  options: Options;
  words?: Words;
  /** Goes through whole folders: always, or with one of these options. */
  walks?: 'always' | readonly string[];
  /** Takes words that are not known beforehand, such as another command's output: all, or all but the first. */
  unknownWords?: 'all' | 'afterFirst';
  /** Options written behind the name whatever was asked, so that no other program is started. */
  adds?: readonly string[];
  /** A line that runs. */
  example: string;
}
