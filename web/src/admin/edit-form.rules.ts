/** A multipart body of what differs between two forms, and of the files that were chosen; undefined when nothing does. */
export const changedBody = (before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>, files: Readonly<Record<string, File | undefined>>): FormData | undefined => {
  const body = new FormData();
  for (const [name, value] of Object.entries(after)) {
    if (value.trim() !== (before[name] ?? '').trim()) body.append(name, value.trim());
  }
  for (const [name, file] of Object.entries(files)) {
    if (file) body.append(name, file, file.name);
  }
  return [...body.keys()].length === 0 ? undefined : body;
};
