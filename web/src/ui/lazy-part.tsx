import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { fetchPart, isOfOlderRelease } from '../lib/fetch-part.ts';

/** Where the fetching of a part is, and the way to try again. */
export type PartQuery = Pick<UseQueryResult, 'isPending' | 'error'> & { readonly refetch: () => unknown };

const reload = (): void => {
  location.reload();
};

/** Parts are told apart by the order in which they are declared. */
let declared = 0;

/**
 * A part of a page, or a whole one, that is fetched when it is first shown. Not React's `lazy`: that remembers a failure for good, and hands it to the
 * boundary of the whole page.
 * @param renderInstead what stands in its place while it is awaited, or because it did not come
 */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>, renderInstead: (query: PartQuery, props: Props) => ReactNode): ComponentType<Props> => {
  // What the browser has kept comes without a network as well.
  const part = queryOptions({ queryKey: ['part', declared++], queryFn: async () => fetchPart(load), staleTime: 'static', gcTime: Infinity, networkMode: 'always' });
  const LazyPart = (props: Props): ReactNode => {
    const { data: Part, isPending, error, refetch } = useQuery(part);
    if (Part) return <Part {...props} />;
    return renderInstead({ isPending, error, refetch: isOfOlderRelease(error) ? reload : refetch }, props);
  };
  return LazyPart;
};
