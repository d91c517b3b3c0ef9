import { replayParkedStreams } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import type { Verb } from '../verb.ts';

export const replayParked: Verb = {
  name: 'replay-parked',
  usage: '',
  summary: 'try the events of parked streams again, after what stopped them was put right',
  async run({ reach, terminal }, args) {
    parseArguments(args, {});
    const { client } = await reach();
    const { replayed, parked } = await ask(client, replayParkedStreams);
    terminal.out(`${String(replayed)} events replayed, ${String(parked)} streams parked.`);
    return parked === 0 ? 0 : 1;
  },
};
