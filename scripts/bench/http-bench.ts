import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getText, median, playRound, postText, type Round } from './load.ts';
import { discard, prepareSeason, startProduct, startReference, type Season } from './stage.ts';

/** A figure of the bench: a ratio with its spread over the rounds, and the target it is held against. */
export type Figure = { readonly name: string; readonly ratio: number; readonly least: number; readonly most: number; readonly target: string; readonly met: boolean; readonly note?: string };

const rounds = 5;
const seconds = 1;

export const figure = (name: string, ratios: readonly number[], target: number, note?: string, atMost = false): Figure => {
  const ratio = median(ratios);
  return { name, ratio, least: Math.min(...ratios), most: Math.max(...ratios), target: `${atMost ? '≤' : '≥'} ${String(target)}`, met: atMost ? ratio <= target : ratio >= target, ...(note !== undefined && { note }) };
};

/** The next entry to record: a fresh entryId each time, over all matches and their players. */
export function entryMaker(season: Season): () => string {
  let count = 0;
  const run = Math.random().toString(36).slice(2, 10);
  const headers = { Authorization: `Bearer ${season.token}` };
  return () => {
    count += 1;
    const match = season.matches[count % season.matches.length];
    const player = match?.players[Math.floor(count / season.matches.length) % match.players.length];
    if (!match || !player) throw new Error('no match to record on');
    return postText(`/api/match/matches/${match.id}/stat-entries`, headers, JSON.stringify({ entryId: `${run}-${String(count).padStart(12, '0')}`, playerId: player.id, points: 2 }));
  };
}

/** (a) Commands over HTTP against an Express route that parses and echoes the same body; hot reads beside writers. */
export async function commandFigures(): Promise<readonly Figure[]> {
  const product = await startProduct();
  const echo = await startReference('echo');
  try {
    const season = await prepareSeason(product.port, { teams: 8, players: 12, matches: 16 });
    const next = entryMaker(season);
    const figures: Figure[] = [];
    const reading = { 64: 0.9, 1: 0.25 };
    for (const connections of [64, 1] as const) {
      const ratios: number[] = [];
      let last: Round | undefined;
      await playRound({ port: echo.port, connections, seconds, next });
      await playRound({ port: product.port, connections, seconds, next });
      for (let round = 0; round < rounds; round += 1) {
        const before = await playRound({ port: echo.port, connections, seconds, next });
        last = await playRound({ port: product.port, connections, seconds, next });
        const after = await playRound({ port: echo.port, connections, seconds, next });
        if (last.refused > 0) throw new Error(`${String(last.refused)} of ${String(last.requests)} commands were refused`);
        ratios.push(last.perSecond / ((before.perSecond + after.perSecond) / 2));
      }
      figures.push(figure(`commands over HTTP, ${String(connections)} client${connections === 1 ? '' : 's'}, to an Express echo`, ratios, reading[connections], `${Math.round(last?.perSecond ?? 0).toString()}/s, p50 ${(last?.p50 ?? 0).toFixed(2)} ms, p99 ${(last?.p99 ?? 0).toFixed(2)} ms`));
    }
    figures.push(await readsBesideWriters(product.port, season, next));
    return figures;
  } finally {
    await Promise.all([product.stop(), echo.stop()]);
    discard(product);
  }
}

async function readsBesideWriters(port: number, season: Season, next: () => string): Promise<Figure> {
  const hot = getText(`/api/tournaments/${season.tournamentId}/standings`);
  const ratios: number[] = [];
  let note = '';
  for (let round = 0; round < rounds; round += 1) {
    const alone = await playRound({ port, connections: 4, seconds, next: () => hot });
    const [beside, writes] = await Promise.all([playRound({ port, connections: 4, seconds, next: () => hot }), playRound({ port, connections: 32, seconds, next })]);
    ratios.push(beside.perSecond / alone.perSecond);
    note = `${Math.round(beside.perSecond).toString()} reads/s (p99 ${beside.p99.toFixed(2)} ms) beside ${Math.round(writes.perSecond).toString()} writes/s`;
  }
  return figure('hot reads of 4 readers beside 32 writers, to the same reads alone', ratios, 0.5, note);
}

/** (c) The warm standings answer against node:http and Express with the same bytes. */
export async function readFigures(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'courtledger-bench-'));
  const product = await startProduct();
  try {
    const season = await prepareSeason(product.port, { teams: 8, players: 5, matches: 8 });
    const next = entryMaker(season);
    await playRound({ port: product.port, connections: 4, seconds: 0.2, next });
    const url = `/api/tournaments/${season.tournamentId}/standings`;
    const answer = await fetch(`http://127.0.0.1:${String(product.port)}${url}`);
    const file = join(folder, 'standings.json');
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    writeFileSync(`${file}.headers`, JSON.stringify(Object.fromEntries([...answer.headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'transfer-encoding'].includes(name)))));
    const hot = getText(url);
    const figures: Figure[] = [];
    for (const [kind, target, name] of [['bare', 0.9, 'a bare node:http server with the same bytes and headers'], ['send', 2, 'an Express route that sends the ready bytes'], ['json', 3, 'an Express route that sends the object by res.json']] as const) {
      const reference = await startReference(kind, file);
      const ratios: number[] = [];
      for (let round = -1; round < rounds; round += 1) {
        const before = await playRound({ port: reference.port, connections: 64, seconds, next: () => hot });
        const ours = await playRound({ port: product.port, connections: 64, seconds, next: () => hot });
        const after = await playRound({ port: reference.port, connections: 64, seconds, next: () => hot });
        if (ours.refused > 0) throw new Error(`${String(ours.refused)} reads were refused`);
        if (round >= 0) ratios.push(ours.perSecond / ((before.perSecond + after.perSecond) / 2));
      }
      await reference.stop();
      figures.push(figure(`the warm standings answer, to ${name}`, ratios, target));
    }
    return figures;
  } finally {
    await product.stop();
    discard(product);
    rmSync(folder, { recursive: true, force: true });
  }
}
