import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { figure, percentile, type Figure } from './figure.ts';
import { discard, prepareSeason, startProduct, type Season } from './stage.ts';

const sheets = 500;
const rounds = 3;
const lines = 24;
/** About what the log keeps of a line. */
const bytesOfLine = 900;

const line = ({ id }: { readonly id: string }) => ({ playerId: id, points: 1, assists: 1, rebounds: 1 });
type Rows = { readonly player_stats: readonly { readonly player_id: string; readonly points: number }[] };

/** Connections that are kept, without what `fetch` costs beside the product: its median of an empty call is 0.3 ms more, its 99th percentile 4. */
const clientOf = (port: number, token: string) => {
  const agent = new Agent({ keepAlive: true });
  const call = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      };
      const asked = request({ port, host: '127.0.0.1', method, path: `/api/match${path}`, agent, headers }, (answer) => {
        let told = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (told += part))
          .on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: told }))
          .on('error', reject);
      });
      asked.on('error', reject).end(text);
    });
  return { call, close: () => agent.destroy() };
};

/**
 * (d) A match sheet of 24 lines, from the first byte sent to its rows read, against a raw write and fsync of as many bytes between the same sheets; 40
 * increments at once.
 */
export async function sheetFigures(): Promise<readonly Figure[]> {
  const product = await startProduct();
  try {
    const season = await prepareSeason(product.port, { teams: 8, players: 12, matches: 8 });
    const client = clientOf(product.port, season.token);
    const readMatch = async (id: string): Promise<Rows> => JSON.parse((await client.call('GET', `/matches/${id}`)).text) as Rows;
    const post = async (path: string, body: object): Promise<void> => {
      const { status, headers, text } = await client.call('POST', path, body);
      if (status >= 300 || headers['x-projection'] === 'pending') throw new Error(`${path} answered ${String(status)}: ${text.slice(0, 300)}`);
    };
    const file = openSync(join(product.dataDir, 'raw'), 'w');
    const bytes = Buffer.alloc(lines * bytesOfLine, 'x');
    const recordSheet = async (match: Season['matches'][number], count: number): Promise<number> => {
      const started = performance.now();
      await post('/match/update', {
        matchId: match.id,
        team1Players: match.players.slice(0, lines / 2).map(line),
        team2Players: match.players.slice(lines / 2).map(line),
      });
      const { player_stats: rows } = await readMatch(match.id);
      const took = performance.now() - started;
      if (rows.length !== lines || rows.some(({ points }) => points !== count)) throw new Error('a sheet was answered before it could be read');
      return took;
    };
    const rawAppend = (): number => {
      const started = performance.now();
      writeSync(file, bytes);
      fsyncSync(file);
      return performance.now() - started;
    };
    const { matches } = season;
    const [first] = matches;
    if (!first) throw new Error('no match');
    const counts = new Map<string, number>();
    const next = async (index: number): Promise<number> => {
      const match = matches[index % matches.length] ?? first;
      const count = (counts.get(match.id) ?? 0) + 1;
      counts.set(match.id, count);
      return recordSheet(match, count);
    };
    for (let index = 0; index < 400; index += 1) await next(index);
    const ratios: number[] = [];
    let note = '';
    for (let round = 0; round < rounds; round += 1) {
      const took: number[] = [];
      const raw: number[] = [];
      for (let index = 0; index < sheets; index += 1) {
        raw.push(rawAppend());
        took.push(await next(index));
      }
      ratios.push(percentile(took, 0.99) / percentile(raw, 0.99));
      note = `p99 ${percentile(took, 0.99).toFixed(1)} ms, p50 ${percentile(took, 0.5).toFixed(1)} ms; raw p99 ${percentile(raw, 0.99).toFixed(1)} ms, p50 ${percentile(raw, 0.5).toFixed(1)} ms`;
    }
    closeSync(file);

    const [player] = first.players;
    if (!player) throw new Error('no player');
    const pointsOf = async (): Promise<number> => (await readMatch(first.id)).player_stats.find(({ player_id }) => player_id === player.id)?.points ?? 0;
    const before = await pointsOf();
    const parallel = await Promise.allSettled(
      Array.from({ length: 40 }, async (_, index) =>
        post(`/matches/${first.id}/stat-entries`, { entryId: `parallel-${String(index)}-${String(Date.now())}`, playerId: player.id, points: 1 }),
      ),
    );
    const refused = parallel.filter(({ status }) => status === 'rejected').length;
    const added = (await pointsOf()) - before;
    client.close();
    return [
      figure(
        'd',
        `a match sheet of ${String(lines)} lines recorded, projected and read: its p99, to the p99 of a raw write and fsync of as many bytes`,
        ratios,
        { atMost: 5 },
        note,
      ),
      figure('d', 'points that 40 increments at once have added to one match', [added], { atLeast: 40 }, `${String(refused)} refused`),
    ];
  } finally {
    await product.stop();
    discard(product);
  }
}
