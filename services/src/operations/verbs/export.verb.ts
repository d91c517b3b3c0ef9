import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResponseOf } from '@courtledger/contracts/kernel/endpoint';
import { getOperationsStatus } from '@courtledger/contracts/operations/operations.api';
import type { EventLog } from '../../event-log/event-log.ts';
import { parseArguments } from '../arguments.ts';
import { controlClient, isAnswering } from '../control-client.ts';
import { countedText } from '../figures.ts';
import { ChainBroken } from '../line-chain.ts';
import { exportLog, leftOutText } from '../log-lines.ts';
import { openConfiguredLog } from '../configured-log.ts';
import { fileToMake } from '../paths.ts';
import { OperatorError } from '../operator-error.ts';
import type { Verb, VerbContext } from '../verb.ts';
import { verifyLogNow } from './verify-log.verb.ts';

/** Has a server that runs here look for itself, so that it writes nothing any more. Gives what came of it. */
const tellServer = async ({ config, terminal, interrupted }: Omit<VerbContext, 'reach' | 'folder'>): Promise<string> => {
  if (!(await isAnswering(config.dataDir))) return '"verify-log" tells more';
  const { firstBreak } = await verifyLogNow(controlClient(config.dataDir), { terminal, interrupted }, true);
  return firstBreak === null
    ? 'The running server has looked for itself and finds it whole: try again'
    : `The running server has looked for itself, found it at position ${firstBreak.position}, and writes nothing any more`;
};

const sameEnvironment = "Export with the server's environment";

/**
 * A server that runs here with its log elsewhere would have another log exported than everything else that is asked of it. Gives where its log stands;
 * undefined where none runs.
 */
const serversHead = async ({ dataDir, store }: VerbContext['config']): Promise<bigint | undefined> => {
  if (!(await isAnswering(dataDir))) return undefined;
  const answer = await controlClient(dataDir)
    .call('GET', `/api${getOperationsStatus.path}`)
    .catch(() => undefined);
  if (answer?.status !== 200) return undefined;
  const { store: kind, log } = answer.json() as ResponseOf<typeof getOperationsStatus>;
  if (kind !== store.kind)
    throw new OperatorError(
      `The server that runs on ${dataDir} has its log in ${kind === 'eventstoredb' ? 'EventStoreDB, and EVENTSTORE_URL is not set here' : 'DATA_DIR, and EVENTSTORE_URL is set here'}. ${sameEnvironment}`,
    );
  return BigInt(log.head);
};

/**
 * Two stores of the same kind are told apart by where they end: the server's goes at least as far as it said. A file that ends too early is damaged, which its
 * export finds.
 */
const expectReaching = async (log: Pick<EventLog, 'head'>, atLeast: bigint, { dataDir, store }: VerbContext['config']): Promise<void> => {
  const head = await log.head();
  const end = head === 'start' ? 0n : head;
  if (store.kind === 'eventstoredb' && end < atLeast)
    throw new OperatorError(
      `The log that EVENTSTORE_URL names here ends at position ${end.toString()}, and that of the server which runs on ${dataDir} at ${atLeast.toString()}: it is another one. ${sameEnvironment}`,
    );
};

export const exportVerb: Verb = {
  name: 'export',
  usage: '<new file>',
  summary: 'write the log as JSON lines, one event a line, personal details sealed as they are, and with the hash chain, verified; also while a server runs',
  async run({ config, terminal, interrupted, folder }, args) {
    const { words } = parseArguments(args, {}, { least: 1 });
    const path = fileToMake(folder, words[0] ?? '');
    const atLeast = await serversHead(config);
    const log = await openConfiguredLog(config);
    try {
      if (atLeast !== undefined) await expectReaching(log, atLeast, config);
      const pages = {
        ...(log.seals !== undefined && { seals: log.seals }),
        head: async () => log.head(),
        async readAll(...range: Parameters<EventLog['readAll']>) {
          // A signal is heard between two turns only, and a log in a file takes none by itself.
          await nextTurn();
          interrupted.throwIfAborted();
          return log.readAll(...range);
        },
      };
      const { events, streams, head, chainHead, facts, leftOut } = await exportLog(pages, path, (count) => {
        interrupted.throwIfAborted();
        terminal.progress(countedText(count, 'event'));
      });
      terminal.progress(undefined);
      terminal.out(
        `${path}: ${countedText(events, 'event')} of ${countedText(streams, 'stream')} up to position ${head.toString()}, ${chainHead === null ? 'without a hash chain: EventStoreDB keeps none of ours' : `the hash chain verified up to ${chainHead}`}.`,
      );
      terminal.out(`Facts: ${facts}. Another store has the same after an import, whatever its positions and hashes.`);
      if (leftOut > 0) terminal.note(`${leftOutText(leftOut)}.`);
      return 0;
    } catch (error) {
      terminal.progress(undefined);
      if (error instanceof ChainBroken)
        throw new OperatorError(
          `${error.message}. Nothing was exported. ${await tellServer({ config, terminal, interrupted })}; restore a backup from before.`,
        );
      throw error;
    } finally {
      await log.close();
    }
  },
};
