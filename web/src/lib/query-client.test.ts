import { onlineManager } from '@tanstack/react-query';
import { expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from './query-client.ts';

it('asks and sends where the browser says that there is no network: the server may stand in the same hall, or on the same machine', async () => {
  onlineManager.setOnline(false);
  onTestFinished(() => onlineManager.setOnline(true));
  const client = createQueryClient();
  const read = await client.fetchQuery({ queryKey: ['read'], queryFn: () => 'read' });
  const sent = await client
    .getMutationCache()
    .build(client, { mutationFn: async () => Promise.resolve('sent') })
    .execute(undefined);
  expect([read, sent]).toEqual(['read', 'sent']);
});
