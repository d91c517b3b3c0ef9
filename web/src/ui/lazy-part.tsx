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
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  renderInstead: (query: PartQuery, props: Props) => ReactNode,
): ComponentType<Props> => {
  const part = queryOptions({
    queryKey: ['part', declared++],
    queryFn: async () => fetchPart(load),
    // Once here it is here, whatever becomes stale; what did not come is fetched as soon as there is a network again.
    staleTime: ({ state }) => (state.data === undefined ? 0 : 'static'),
    gcTime: Infinity,
    // What the browser has kept comes without a network as well.
    networkMode: 'always',
    refetchOnReconnect: true,
  });
  const LazyPart = (props: Props): ReactNode => {
    const { data: Part, isPending, error, refetch } = useQuery(part);
    if (Part) return <Part {...props} />;
    return renderInstead({ isPending, error, refetch: isOfOlderRelease(error) ? reload : refetch }, props);
  };
  return LazyPart;
};
