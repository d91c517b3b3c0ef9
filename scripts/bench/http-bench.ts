import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, type Figure } from './figure.ts';
import { getText, playRound, postText, warmUp, type Round, type RoundPlan } from './load.ts';
import { scratchFolder } from './scratch.ts';
import { cpuMicroseconds, discard, prepareSeason, startProduct, startReference, type Season, type Stage } from './stage.ts';

const rounds = 5;
const seconds = 1;
/** Requests before anything is measured. */
const warm = { commands: 15_000, reads: 20_000 } as const;

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
    return postText(
      `/api/match/matches/${match.id}/stat-entries`,
      headers,
      JSON.stringify({ entryId: `${run}-${String(count).padStart(12, '0')}`, playerId: player.id, points: 2 }),
    );
  };
}

/** A round with the CPU that the server's process spent on each request: it tells servers apart where other work, or the disk, blurs their rates. */
const playOn = async (stage: Stage, plan: Omit<RoundPlan, 'port'>): Promise<Round & { readonly cpu: number }> => {
  const before = cpuMicroseconds(stage.pid);
  const round = await playRound({ ...plan, port: stage.port });
  return { ...round, cpu: (cpuMicroseconds(stage.pid) - before) / round.requests };
};

const expectNoneRefused = ({ refused, requests }: Round, what: string): void => {
  if (refused > 0) throw new Error(`${String(refused)} of ${String(requests)} ${what} were refused`);
};

/** (a) Commands over HTTP against an Express route that parses and echoes the same body; hot reads beside writers. */
export async function commandFigures(): Promise<readonly Figure[]> {
  const product = await startProduct();
  const echo = await startReference('echo');
  try {
    const season = await prepareSeason(product.port, { teams: 8, players: 12, matches: 8 });
    const next = entryMaker(season);
    const figures: Figure[] = [];
    for (const server of [echo, product]) await warmUp({ port: server.port, connections: 64, next }, warm.commands);
    for (const [connections, atLeast] of [
      [64, 0.9],
      [1, 0.25],
    ] as const) {
      const ratios: number[] = [];
      let note = '';
      for (let round = 0; round < rounds; round += 1) {
        const before = await playOn(echo, { connections, seconds, next });
        const ours = await playOn(product, { connections, seconds, next });
        const after = await playOn(echo, { connections, seconds, next });
        expectNoneRefused(ours, 'commands');
        const reference = (before.perSecond + after.perSecond) / 2;
        ratios.push(ours.perSecond / reference);
        note = `${ours.perSecond.toFixed(0)}/s (p50 ${ours.p50.toFixed(2)}, p99 ${ours.p99.toFixed(2)} ms), ${ours.cpu.toFixed(0)} µs of CPU each; echo ${reference.toFixed(0)}/s, ${after.cpu.toFixed(0)} µs`;
      }
      figures.push(
        figure(
          'a',
          `commands, ${String(connections)} client${connections === 1 ? '' : 's'}, each answer durable and readable, to an Express echo`,
          ratios,
          { atLeast },
          note,
        ),
      );
    }
    figures.push(await readsBesideWriters(product.port, season, next), await readsBesideLogins(product.port, season));
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
  await warmUp({ port, connections: 4, next: () => hot }, warm.reads);
  for (let round = 0; round < rounds; round += 1) {
    const before = await playRound({ port, connections: 4, seconds: seconds / 2, next: () => hot });
    const [beside, writes] = await Promise.all([
      playRound({ port, connections: 4, seconds, next: () => hot }),
      playRound({ port, connections: 32, seconds, next }),
    ]);
    const after = await playRound({ port, connections: 4, seconds: seconds / 2, next: () => hot });
    expectNoneRefused(beside, 'reads');
    expectNoneRefused(writes, 'commands');
    ratios.push(beside.perSecond / ((before.perSecond + after.perSecond) / 2));
    note = `${beside.perSecond.toFixed(0)} reads/s (p99 ${beside.p99.toFixed(2)} ms) beside ${writes.perSecond.toFixed(0)} commands/s`;
  }
  return figure('a', 'hot reads of 4 readers beside 32 writers, to the same reads alone', ratios, { atLeast: 0.5 }, note);
}

/** (a) How long a fan waits while forty try passwords: two are hashed at a time, on the same cores (S11). */
async function readsBesideLogins(port: number, season: Season): Promise<Figure> {
  const hot = getText(`/api/tournaments/${season.tournamentId}/standings`);
  const login = postText('/api/admin/login', {}, JSON.stringify({ email: 'bench@example.org', password: 'not-the-password' }));
  const waits: number[] = [];
  let note = '';
  for (let round = 0; round < rounds; round += 1) {
    const [beside, logins] = await Promise.all([
      playRound({ port, connections: 4, seconds, next: () => hot }),
      playRound({ port, connections: 40, seconds, next: () => login }),
    ]);
    expectNoneRefused(beside, 'reads');
    if (logins.refused !== logins.requests) throw new Error('a wrong password was taken');
    waits.push(beside.p99);
    note = `${beside.perSecond.toFixed(0)} reads/s beside ${logins.perSecond.toFixed(0)} logins/s`;
  }
  return figure('a', 'hot reads of 4 readers beside 40 logins at once: their p99', waits, { atMost: 300 }, note, 'ms');
}

const references = [
  ['bare', 0.9, 'a bare node:http server with the same bytes and headers'],
  ['send', 2, 'an Express route that sends the ready bytes'],
  ['json', 3, 'an Express route that sends the object by res.json'],
] as const;
/** Headers that a server makes for each answer, or that differ by nature. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** (c) The warm standings answer against node:http and Express with the same bytes. */
export async function readFigures(): Promise<readonly Figure[]> {
  const folder = scratchFolder();
  const product = await startProduct();
  try {
    // Standings of some 5 kB, as in the trial that the targets come from.
    const season = await prepareSeason(product.port, { teams: 14, players: 5, matches: 14 });
    await playRound({ port: product.port, connections: 4, seconds: 0.2, next: entryMaker(season) });
    const path = `/api/tournaments/${season.tournamentId}/standings`;
    const read = async (port: number): Promise<{ bytes: Buffer; headers: [string, string][] }> => {
      const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers: { 'accept-encoding': 'identity' } });
      return { bytes: Buffer.from(await answer.arrayBuffer()), headers: [...answer.headers].filter(([name]) => !ownHeaders.has(name)) };
    };
    const { bytes, headers } = await read(product.port);
    const file = join(folder, 'standings.json');
    writeFileSync(file, bytes);
    writeFileSync(`${file}.headers`, JSON.stringify(Object.fromEntries(headers)));
    const hot = getText(path);
    const play = { connections: 64, seconds, next: () => hot };
    const figures: Figure[] = [];
    await warmUp({ ...play, port: product.port }, warm.reads);
    for (const [kind, atLeast, name] of references) {
      const reference = await startReference(kind, file);
      try {
        const same = await read(reference.port);
        if (!same.bytes.equals(bytes)) throw new Error(`the reference ${kind} answers other bytes`);
        if (kind === 'bare' && JSON.stringify(same.headers) !== JSON.stringify(headers)) throw new Error('the bare reference answers other headers');
        await warmUp({ ...play, port: reference.port }, warm.reads);
        const ratios: number[] = [];
        let note = '';
        for (let round = 0; round < rounds; round += 1) {
          const before = await playOn(reference, play);
          const ours = await playOn(product, play);
          const after = await playOn(reference, play);
          expectNoneRefused(ours, 'reads');
          const rate = (before.perSecond + after.perSecond) / 2;
          ratios.push(ours.perSecond / rate);
          note = `${ours.perSecond.toFixed(0)}/s of ${String(bytes.length)} bytes, ${ours.cpu.toFixed(0)} µs of CPU each; the reference ${rate.toFixed(0)}/s, ${after.cpu.toFixed(0)} µs`;
        }
        figures.push(figure('c', `the warm standings answer, to ${name}`, ratios, { atLeast }, note));
      } finally {
        await reference.stop();
      }
    }
    return figures;
  } finally {
    await product.stop();
    discard(product);
    rmSync(folder, { recursive: true, force: true });
  }
}
