/**
 * The API names a field as the wire does (`organizer[phoneNumber] is required`); a person is told its label. What begins otherwise is a sentence of its own and
 * stays.
 */
export const fieldMessage = (message: string, name: string, label: string): string =>
  message.startsWith(`${name} `) ? `${label.replace(/ \(optional\)$/, '')}${message.slice(name.length)}` : message;

/** The same for a message about any field of a form, by label of wire name. */
export const formMessage = (message: string, labels: Readonly<Record<string, string>>): string => {
  const [name = ''] = message.split(' ', 1);
  return Object.hasOwn(labels, name) ? fieldMessage(message, name, labels[name] ?? name) : message;
};
