import { replayParkedStreams } from '@courtledger/contracts/operations/operations.api';
import { parseArguments } from '../arguments.ts';
import { ask } from '../ask.ts';
import { countedText } from '../figures.ts';
import type { Verb } from '../verb.ts';

export const replayParked: Verb = {
  name: 'replay-parked',
  usage: '',
  summary: 'try the events of parked streams again, after what stopped them was put right',
  async run({ reach, terminal }, args) {
    parseArguments(args, {});
    const { client } = await reach();
    const { replayed, parked } = await ask(client, replayParkedStreams);
    terminal.out(`${countedText(replayed, 'event')} replayed, ${countedText(parked, 'stream')} parked.`);
    return parked === 0 ? 0 : 1;
  },
};
