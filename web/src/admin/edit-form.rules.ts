type Texts = Readonly<Record<string, string>>;
const none: ReadonlySet<string> = new Set();

/** Said in place of sending nothing. */
export const nothingChanged = 'Nothing has been changed.';

/** The texts of a form that are to be sent: those that differ from before, and those of `doubted`. */
export const changedNames = <Name extends string>(
  before: Readonly<Record<Name, string>>,
  after: Readonly<Record<Name, string>>,
  doubted: ReadonlySet<string> = none,
): readonly Name[] => (Object.keys(after) as Name[]).filter((name) => doubted.has(name) || after[name].trim() !== (before[name] ?? '').trim());

/** A multipart body of them, and of the files that were chosen; undefined when there is nothing to send. */
export const changedBody = (
  before: Texts,
  after: Texts,
  files: Readonly<Record<string, File | undefined>>,
  doubted: ReadonlySet<string> = none,
): FormData | undefined => {
  const body = new FormData();
  for (const name of changedNames(before, after, doubted)) body.append(name, (after[name] ?? '').trim());
  for (const [name, file] of Object.entries(files)) {
    if (file) body.append(name, file, file.name);
  }
  return [...body.keys()].length === 0 ? undefined : body;
};
