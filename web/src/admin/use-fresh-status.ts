import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getOperationsStatus } from './audit.data.ts';

/**
 * Reads the operators' status again once a job has ended, so that 'Done' and the tiles tell of the same moment.
 * @param endedAt when the latest job ended; null while it runs or when there is none, undefined until that is known
 */
export const useFreshStatus = (endedAt: string | null | undefined): void => {
  const client = useQueryClient();
  const seen = useRef<string | null>(undefined);
  useEffect(() => {
    if (endedAt === undefined) return;
    const isNews = seen.current !== undefined && endedAt !== null && endedAt !== seen.current;
    seen.current = endedAt;
    if (isNews) void client.invalidateQueries({ queryKey: getOperationsStatus().queryKey });
  }, [endedAt, client]);
};
