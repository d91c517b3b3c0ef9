/** The address of an EventStoreDB as it may be shown and kept: whatever stands before the last `@` is a user and a password. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^/?]*@/, '//');

/** A user or a password as an address writes it (`%40` for an @); undefined when it cannot be read. */
export const credentialIn = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

/** What is said of an address whose user or password cannot be read. */
export const unreadableCredential = 'EVENTSTORE_URL has a % in its user or password that begins no escape: write it as %25';
