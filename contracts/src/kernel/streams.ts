/**
 * What a stream of ours is of, as its name begins. A new kind of stream is one more here: what stands in no such stream is taken for another program's where
 * nothing else shows that it is ours.
 */
const streamCategories = ['tournament', 'team', 'match', 'person', 'admin', 'admin-email', 'request', 'audit'] as const;

/** The name of a stream: the only place that makes one. */
export const streamOf = (category: (typeof streamCategories)[number], id: string): string => `${category}-${id}`;

const ours = new RegExp(`^(?:${streamCategories.join('|')})-[\\w-]{1,64}$`);

/** Whether a fact of ours may stand in a stream of that name. */
export const isStreamOfOurs = (stream: string): boolean => ours.test(stream);
