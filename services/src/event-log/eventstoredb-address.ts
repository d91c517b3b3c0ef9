/** The address of an EventStoreDB as it may be shown and kept: whatever stands before the last `@` is a user and a password. */
export const withoutPassword = (url: string): string => url.replace(/\/\/[^/?]*@/, '//');
