import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { getOperationsStatus } from './audit.data.ts';
import { useCommand, type CommandState } from './use-command.ts';

type JobQuery = { readonly refetch: () => Promise<unknown> };

/**
 * The command of a kind of job, which may as well be begun elsewhere. A refusal shows at once what runs, and is forgotten when that has ended. Once a job has
 * ended the operators' status is read again, so that 'Done' and the tiles tell of the same moment.
 * @param endedAt when the latest job ended; null while it runs or when there is none, undefined until that is known
 */
export const useJobCommand = (query: JobQuery, endedAt: string | null | undefined): CommandState => {
  const client = useQueryClient();
  const command = useCommand();
  const seen = useRef<string | null>(undefined);
  const onEnd = useEffectEvent(() => {
    void client.invalidateQueries({ queryKey: getOperationsStatus().queryKey });
    command.forget();
  });
  useEffect(() => {
    if (endedAt === undefined) return;
    const isNews = seen.current !== undefined && endedAt !== null && endedAt !== seen.current;
    seen.current = endedAt;
    if (isNews) onEnd();
  }, [endedAt]);
  return {
    ...command,
    run: async (send) => {
      // Busy until it is known what runs: a second press comes before that.
      const done = await command.run(async () => {
        await send();
        await query.refetch();
      });
      if (!done) await query.refetch();
      return done;
    },
  };
};
